import type { ProaCommand } from '../command.js'

const usage = `Show, add and remove the images of a cluster's container runtime, without a registry and without a network.

Usage:
  proa image ls                    list the images
  proa image load FILE|-           add the images of an archive: docker save NAME | proa image load -
  proa image build DIR -t NAME     build an image from DIR/Dockerfile
  proa image rm NAME…              remove images
  proa image hello                 add proa/hello:1 and :2, a small web server that runs on a copy of this Node

"proa image COMMAND --help" lists the flags of a command.
`

/** Loads each command only when it is called. */
const imageCommands: ReadonlyMap<string, ProaCommand> = new Map<string, ProaCommand>([
  ['ls', async (args) => (await import('./ls.js')).lsCommand(args)],
  ['load', async (args) => (await import('./load.js')).loadCommand(args)],
  ['build', async (args) => (await import('./build.js')).buildCommand(args)],
  ['rm', async (args) => (await import('./rm.js')).rmCommand(args)],
  ['hello', async (args) => (await import('./hello.js')).helloCommand(args)],
])

/** Names that other tools use. */
const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries({ list: 'ls', remove: 'rm', delete: 'rm', import: 'load' }),
)

/** Runs `proa image` with its arguments, without its own name. Resolves with the exit code. */
export async function imageCommand(args: readonly string[]): Promise<number> {
  const [verb, ...rest] = args
  if (verb === undefined || verb === '-h' || verb === '--help' || verb === 'help') {
    process.stdout.write(usage)
    return 0
  }
  const command = imageCommands.get(aliases.get(verb) ?? verb)
  if (command) return command(rest)
  process.stderr.write(
    `proa image: unknown command "${verb}"; the commands are ${[...imageCommands.keys()].join(', ')}\n`,
  )
  return 2
}
