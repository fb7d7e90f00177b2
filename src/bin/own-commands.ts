/** The commands of Proa itself. Every other word is one of kubectl's. */
export const ownCommands = [
  'up',
  'down',
  'reset',
  'status',
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
