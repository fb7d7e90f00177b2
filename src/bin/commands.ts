import type { ProaCommand } from './command.js'
import { type CommandName, commandListHelp, isCommandName } from './command-list.js'
import { isVersion } from './script-choice.js'

/** Loads each command only when it is called, because some are slow to load. */
const commands: Readonly<Record<CommandName, ProaCommand>> = {
  up: async (args) => (await import('./up/up.js')).upCommand(args),
  down: async (args) => (await import('./up/down.js')).downCommand(args),
  reset: async (args) => (await import('./up/reset.js')).resetCommand(args),
  status: async (args) => (await import('./up/status.js')).statusCommand(args),
  list: async (args) => (await import('./up/list.js')).listCommand(args),
  clusters: async (args) => (await import('./up/list.js')).listCommand(args),
  doctor: async (args) => (await import('./doctor.js')).doctorCommand(args),
  image: async (args) => (await import('./image/image.js')).imageCommand(args),
  snapshot: async (args) => (await import('./snapshot.js')).snapshotCommand(args),
  apiserver: async (args) => (await import('./components/apiserver.js')).apiServerCommand(args),
  'controller-manager': async (args) =>
    (await import('./components/controller-manager.js')).controllerManagerCommand(args),
  scheduler: async (args) => (await import('./components/scheduler.js')).schedulerCommand(args),
  kubelet: async (args) => (await import('./components/kubelet.js')).kubeletCommand(args),
}

/** Runs a command line for which `scriptFor` chose this script. Returns the exit code. */
export async function runOwnCommand(name: string, args: readonly string[]): Promise<number> {
  if (isCommandName(name)) return commands[name](args)
  process.stdout.write(isVersion(name, args) ? await versionText() : commandListHelp())
  return 0
}

/** The version of this program. `proa kubectl version` also shows the server's. */
async function versionText(): Promise<string> {
  const { readBuild } = await import('../apiserver/server.js')
  const { gitVersion } = await import('../apiserver/extensions/version.js')
  const build = readBuild()
  const [kubernetes] = gitVersion(build).split('+')
  const commit = `${build.commit.slice(0, 12)}${build.treeState === 'dirty' ? ' with changes' : ''}`
  return `proa ${build.version} (Kubernetes ${kubernetes}, commit ${commit}, Node ${process.version})\n`
}
