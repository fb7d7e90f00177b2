import type { Command } from './command.js'
import type { OwnCommand } from './own-commands.js'

/** Each is loaded when it is called: the others may be slow to load. */
export const commands: Readonly<Record<OwnCommand, Command>> = {
  up: async (args) => (await import('./up/up.js')).upCommand(args),
  down: async (args) => (await import('./up/down.js')).downCommand(args),
  reset: async (args) => (await import('./up/reset.js')).resetCommand(args),
  status: async (args) => (await import('./up/status.js')).statusCommand(args),
  doctor: async (args) => (await import('./doctor.js')).doctorCommand(args),
  apiserver: async (args) => (await import('./apiserver.js')).apiServerCommand(args),
  'controller-manager': async (args) => (await import('./controller-manager.js')).controllerManagerCommand(args),
  scheduler: async (args) => (await import('./scheduler.js')).schedulerCommand(args),
  kubelet: async (args) => (await import('./kubelet.js')).kubeletCommand(args),
  image: async (args) => (await import('./image/image.js')).imageCommand(args),
  snapshot: async (args) => (await import('./snapshot.js')).snapshotCommand(args),
}

const text = `Proa: Kubernetes in TypeScript.

  proa up [flags]                          a whole cluster in one process; --help lists its flags
  proa down, reset, status                 end it; delete it; look at it
  proa doctor                              what this machine can do, and what would help
  proa apiserver [flags]                   the API server alone; --help lists its flags
  proa controller-manager [flags]          the control loops alone
  proa scheduler [flags]                   the scheduler alone
  proa kubelet [flags]                     the kubelet alone: this machine as a node
  proa image ls|load|build|rm|hello        show, add and remove images of the container runtime, without a registry
  proa snapshot save|restore|status FILE   copy, restore or describe the data of an embedded store
  proa kubectl …, proa get pods, …         kubectl; each of its commands can be called without the word, too
  proa --help                              this text
`

export function help(): number {
  process.stdout.write(text)
  return 0
}
