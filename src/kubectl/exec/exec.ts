import { boolean, csvList, signedDuration, text } from '../../base/flags/flag-types.js'
import { type CommandContext, command } from '../command.js'
import { CommandUsageError } from '../command-errors.js'
import type { Factory } from '../factory/factory.js'
import type { ResourceObject } from '../resources/resource-object.js'
import { select } from '../resources/selection.js'
import { attachablePod, namedObject, runningTimeout } from './attachable-pod.js'
import { joinStreams } from './channels.js'
import { execSession, hasTerminal } from './session.js'

const flags = {
  container: text('The container to use', { short: 'c' }),
  filename: csvList('Files that contain the pod', { short: 'f' }),
  'pod-running-timeout': signedDuration('How long to wait for a running pod', { initial: 60_000 }),
  quiet: boolean('Print only what the command prints', { short: 'q' }),
  stdin: boolean('Send standard input to the command', { short: 'i' }),
  tty: boolean('Use a terminal for the command', { short: 't' }),
} as const

type ExecContext = CommandContext<typeof flags>

export const exec = command({
  usage: '(POD | TYPE/NAME) [-c CONTAINER] [flags] -- COMMAND [args...] [options]',
  about: 'Execute a command in a running container.',
  examples: ['kubectl exec web -- date', 'kubectl exec -it deployment/web -- sh'],
  flags,
  run: runExec,
})

async function runExec(call: ExecContext): Promise<void> {
  const { flags: given, factory, err } = call
  const { name, words } = read(call)
  const pod = await podFor(call, name)
  const isTerminal = await hasTerminal(call)
  const input = given.stdin ? factory.environment.input : undefined
  const options = { container: given.container, words, input, isTerminal }
  await joinStreams(factory, await execSession(pod, options, given.quiet ? async () => {} : err))
}

/** The pod is before `--`, the command after it. */
function read({ flags: given, args, dash, path }: ExecContext): {
  readonly name: string
  readonly words: readonly string[]
} {
  const named = args.slice(0, dash ?? 0)
  const words = args.slice(dash ?? 0)
  if (dash === undefined && args.length > 1)
    throw new CommandUsageError(
      path,
      'exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead',
    )
  const [name = dash === undefined ? (args[0] ?? '') : ''] = named
  if (name === '' && given.filename.length === 0) throw new Error('pod, type/name or --filename must be specified')
  if (dash === undefined || words.length === 0)
    throw new Error('you must specify at least one command for the container')
  return { name, words }
}

async function podFor({ flags: given, factory, path }: ExecContext, name: string): Promise<ResourceObject> {
  const timeout = runningTimeout(path, given['pod-running-timeout'])
  return attachablePod(factory, await objectFor(factory, given, name), timeout)
}

async function objectFor(factory: Factory, given: ExecContext['flags'], name: string): Promise<ResourceObject> {
  if (given.filename.length === 0) return namedObject(factory, [name])
  const { manifests } = await select(factory, given)
  const [first] = manifests
  if (!first) throw new Error('no objects passed to exec')
  return namedObject(factory, [`${first.resource.plural}/${first.name}`])
}
