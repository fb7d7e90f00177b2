import type { Command } from './command.js'
import { isOwnCommand, type OwnCommand } from './own-commands.js'
import { isVersion } from './script-choice.js'

/** Each is loaded when it is called: the others may be slow to load. */
const commands: Readonly<Record<OwnCommand, Command>> = {
  up: async (args) => (await import('./up/up.js')).upCommand(args),
  down: async (args) => (await import('./up/down.js')).downCommand(args),
  reset: async (args) => (await import('./up/reset.js')).resetCommand(args),
  status: async (args) => (await import('./up/status.js')).statusCommand(args),
  list: async (args) => (await import('./up/list.js')).listCommand(args),
  clusters: async (args) => (await import('./up/list.js')).listCommand(args),
  doctor: async (args) => (await import('./doctor.js')).doctorCommand(args),
  apiserver: async (args) => (await import('./apiserver.js')).apiServerCommand(args),
  'controller-manager': async (args) => (await import('./controller-manager.js')).controllerManagerCommand(args),
  scheduler: async (args) => (await import('./scheduler.js')).schedulerCommand(args),
  kubelet: async (args) => (await import('./kubelet.js')).kubeletCommand(args),
  image: async (args) => (await import('./image/image.js')).imageCommand(args),
  snapshot: async (args) => (await import('./snapshot.js')).snapshotCommand(args),
}

/** Runs a command line that `scriptFor` leads here. */
export async function runCommand(name: string, args: readonly string[]): Promise<number> {
  if (isOwnCommand(name)) return commands[name](args)
  return isVersion(name, args) ? version() : help()
}

const text = `Proa: Kubernetes in TypeScript.

Usage:
  proa up [flags]                          run a whole cluster in one process
  proa down, reset, status                 stop a cluster; delete it; show its state
  proa list                                list the clusters of this machine
  proa doctor                              check what this machine can do, and what would help
  proa image ls|load|build|rm|hello        show, add and remove images, without a registry
  proa snapshot save|restore|status FILE   save, restore or describe the data of a cluster
  proa kubectl …, proa get pods, …         kubectl; each of its commands also works without the word
  proa apiserver [flags]                   run the API server alone
  proa controller-manager [flags]          run the control loops alone
  proa scheduler [flags]                   run the scheduler alone
  proa kubelet [flags]                     run the kubelet alone: this machine as a node
  proa version, --version                  show the version of Proa
  proa help [command], --help              show this help, or the help of a command
`

function help(): number {
  process.stdout.write(text)
  return 0
}

/** Of the program; `proa kubectl version` also asks the server. */
async function version(): Promise<number> {
  const { readBuild } = await import('../apiserver/server.js')
  const { gitVersion } = await import('../apiserver/extensions/version.js')
  const build = readBuild()
  const [kubernetes] = gitVersion(build).split('+')
  const commit = `${build.commit.slice(0, 12)}${build.treeState === 'dirty' ? ' with changes' : ''}`
  process.stdout.write(`proa ${build.version} (Kubernetes ${kubernetes}, commit ${commit}, Node ${process.version})\n`)
  return 0
}
