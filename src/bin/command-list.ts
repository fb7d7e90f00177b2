import { editDistance } from '../base/edit-distance.js'

/** A command of Proa itself, as the help shows it. */
interface CommandEntry {
  readonly name: string
  /** What follows the name in the help. */
  readonly arguments?: string
  readonly summary: string
  /** Whether it runs until it is stopped. `./proa` starts Node with more threads and large memory pages for these commands. */
  readonly isServer?: boolean
  /** Names that other tools use for this. They do not work, but an unknown command suggests the right one. */
  readonly synonyms?: readonly string[]
}

/**
 * All commands of Proa itself, in the order of the help. Every other word is a command of kubectl. The help, the choice of the script
 * (`script-choice.ts`), the table of implementations (`commands.ts`) and the launcher's list of servers (`servers.sh`) derive from it.
 */
const commandList = [
  {
    name: 'up',
    arguments: '[flags]',
    summary: 'run a whole cluster in one process',
    isServer: true,
    synonyms: ['start'],
  },
  { name: 'down', summary: 'stop a cluster and end its pods', synonyms: ['stop', 'halt'] },
  { name: 'reset', summary: 'stop a cluster and delete it', synonyms: ['destroy', 'remove'] },
  { name: 'status', summary: 'show the state of a cluster', synonyms: ['info'] },
  { name: 'list', summary: 'list the clusters of this machine', synonyms: ['ls', 'ps'] },
  { name: 'clusters', summary: 'the same as list' },
  { name: 'doctor', summary: 'check what this machine can do, and what would help', synonyms: ['check'] },
  {
    name: 'image',
    arguments: 'ls|load|build|rm|hello',
    summary: 'show, add and remove images, without a registry',
    synonyms: ['images'],
  },
  {
    name: 'snapshot',
    arguments: 'save|restore|status FILE',
    summary: 'save, restore or describe the data of a cluster',
    synonyms: ['backup'],
  },
  { name: 'apiserver', arguments: '[flags]', summary: 'run the API server alone', isServer: true },
  { name: 'controller-manager', arguments: '[flags]', summary: 'run the control loops alone', isServer: true },
  { name: 'scheduler', arguments: '[flags]', summary: 'run the scheduler alone', isServer: true },
  {
    name: 'kubelet',
    arguments: '[flags]',
    summary: 'run the kubelet alone: this machine as a node',
    isServer: true,
  },
] as const satisfies readonly CommandEntry[]

export type CommandName = (typeof commandList)[number]['name']

const entries: readonly (CommandEntry & { readonly name: CommandName })[] = commandList

export const commandNames: readonly CommandName[] = entries.map(({ name }) => name)

export const serverCommands: readonly CommandName[] = entries.flatMap(({ name, isServer }) => (isServer ? [name] : []))

export function isCommandName(word: string): word is CommandName {
  return (commandNames as readonly string[]).includes(word)
}

/** The help of `proa` itself. */
export function commandListHelp(): string {
  const lines = [
    ...entries.map((entry) => [['proa', entry.name, entry.arguments ?? ''].join(' ').trimEnd(), entry.summary]),
    ['proa kubectl …, proa get pods, …', 'kubectl; each of its commands also works without the word'],
    ['proa version, --version', 'show the version of Proa'],
    ['proa help [command], --help', 'show this help, or the help of a command'],
  ]
  const usage = lines.map(([line = '', summary]) => `  ${line.padEnd(40)} ${summary}\n`).join('')
  return `Proa: Kubernetes in TypeScript.\n\nUsage:\n${usage}`
}

/** Returns the commands that the user may have meant, the best first. `kubectlNames` are the commands of kubectl. */
export function suggestedCommands(word: string, kubectlNames: readonly string[]): readonly string[] {
  const lower = word.toLowerCase()
  const meant = entries.find(({ synonyms }) => synonyms?.includes(lower))
  if (meant) return [meant.name]
  const maxDistance = lower.length < 4 ? 1 : 2
  return [...commandNames, ...kubectlNames]
    .map((name) => ({ name, distance: name.startsWith(lower) ? 0 : editDistance(lower, name) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ name }) => name)
}
