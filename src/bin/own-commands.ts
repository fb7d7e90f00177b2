import { editDistance } from '../base/edit-distance.js'

/** The commands of Proa itself. Every other word is one of kubectl's. */
export const ownCommands = [
  'up',
  'down',
  'reset',
  'status',
  'list',
  'clusters',
  'doctor',
  'apiserver',
  'controller-manager',
  'scheduler',
  'kubelet',
  'image',
  'snapshot',
] as const

export type OwnCommand = (typeof ownCommands)[number]

/** Those that run until they are stopped. `./proa` starts Node with more threads for them, and other memory pages. */
export const serverCommands: readonly OwnCommand[] = ['up', 'apiserver', 'controller-manager', 'scheduler', 'kubelet']

export function isOwnCommand(name: string): name is OwnCommand {
  return (ownCommands as readonly string[]).includes(name)
}

/** What tools like this one call the same thing. */
const otherWords: Readonly<Partial<Record<string, OwnCommand>>> = {
  start: 'up',
  stop: 'down',
  halt: 'down',
  destroy: 'reset',
  remove: 'reset',
  ls: 'list',
  ps: 'list',
  info: 'status',
  check: 'doctor',
  images: 'image',
  backup: 'snapshot',
}

/** Commands that somebody may have meant, the best first; `kubectl` are the names of its commands. */
export function suggestedCommands(word: string, kubectl: readonly string[]): readonly string[] {
  const lower = word.toLowerCase()
  const meant = Object.hasOwn(otherWords, lower) ? otherWords[lower] : undefined
  if (meant !== undefined) return [meant]
  const most = lower.length < 4 ? 1 : 2
  return [...ownCommands, ...kubectl]
    .map((name) => ({ name, distance: name.startsWith(lower) ? 0 : editDistance(lower, name) }))
    .filter(({ distance }) => distance <= most)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ name }) => name)
}
