import type { ProaCommand } from '../command.js'

const usage = `Show, add and remove the images of a cluster's container runtime, without a registry and without a network.

Usage:
  proa image ls                    list the images
  proa image load FILE|-           add the images of an archive: docker save NAME | proa image load -
  proa image build DIR -t NAME     build an image from DIR/Dockerfile
  proa image rm NAME…              remove images
  proa image hello                 add proa/hello:1 and :2, a small web server made of the Node that runs this

"proa image COMMAND --help" lists the flags of a command.
`

/** Each is loaded when it is called. */
const verbs: ReadonlyMap<string, ProaCommand> = new Map<string, ProaCommand>([
  ['ls', async (args) => (await import('./ls.js')).lsCommand(args)],
  ['load', async (args) => (await import('./load.js')).loadCommand(args)],
  ['build', async (args) => (await import('./build.js')).buildCommand(args)],
  ['rm', async (args) => (await import('./rm.js')).rmCommand(args)],
  ['hello', async (args) => (await import('./hello.js')).helloCommand(args)],
])

/** Other tools' words for the same. */
const otherNames: ReadonlyMap<string, string> = new Map(
  Object.entries({ list: 'ls', remove: 'rm', delete: 'rm', import: 'load' }),
)

/** The command `proa image`, without its own name; returns the exit code. */
export async function imageCommand(args: readonly string[]): Promise<number> {
  const [verb, ...rest] = args
  if (verb === undefined || verb === '-h' || verb === '--help' || verb === 'help') {
    process.stdout.write(usage)
    return 0
  }
  const command = verbs.get(otherNames.get(verb) ?? verb)
  if (command) return command(rest)
  process.stderr.write(`proa image: unknown command "${verb}"; the commands are ${[...verbs.keys()].join(', ')}\n`)
  return 2
}
