import type { JsonObject } from '../../schema/declaration.js'
import { objectIn } from '../../schema/json-value.js'
import type { CommandContext } from '../command.js'
import type { ResourceObject } from '../resources/resource-object.js'
import { chooseContainer, podPath } from '../resources/workload-pods.js'
import { joinStreams, streamQuery } from './channels.js'
import { parseDetachKeys, untilDetached } from './detach-keys.js'
import { defaultDetachKeys, hasTerminal, type sessionFlags } from './session.js'

type SessionContext = Pick<CommandContext<typeof sessionFlags>, 'flags' | 'factory' | 'out' | 'err'>

const warning =
  'All commands and output from this session will be recorded in container logs, including credentials and sensitive information passed through the command prompt.'

/** Attaches to a running container until it ends or the user detaches. */
export async function attachTo(call: SessionContext, pod: ResourceObject, wanted: string): Promise<void> {
  const { flags: given, factory, out, err } = call
  const container = await containerOf(call, pod, wanted)
  const isTerminal = await hasTerminal(call, await isTerminalWanted(call, container))
  const input = inputOf(call, isTerminal)
  if (!given.quiet) await err(`${warning}\nIf you don't see a command prompt, try pressing enter.\n`)
  const query = { ...streamQuery({ input, isTerminal }), container: container.name }
  await joinStreams(factory, { path: podPath(pod, 'attach'), query, input, isTerminal, isRedrawn: true })
  if (given.stdin && isTerminal && !given.quiet) await out(`${farewell(pod, container)}\n`)
}

interface Container {
  readonly name: string
  readonly tty: boolean
  /** Whether it is an ephemeral container. */
  readonly isEphemeral: boolean
}

async function containerOf(
  { flags: given, err }: SessionContext,
  pod: ResourceObject,
  wanted: string,
): Promise<Container> {
  const name = await chooseContainer(pod, wanted, given.quiet ? async () => {} : err).catch((error: Error) => {
    throw new Error(`cannot attach to the container: ${error.message}`, { cause: error })
  })
  const spec = objectIn(pod.object, 'spec') ?? {}
  const find = (field: string) => ((spec[field] ?? []) as readonly JsonObject[]).find((each) => each.name === name)
  const usual = find('containers') ?? find('initContainers')
  return { name, tty: (usual ?? find('ephemeralContainers'))?.tty === true, isEphemeral: usual === undefined }
}

/** Whether the container has a terminal. The flag cannot give it one. */
async function isTerminalWanted({ flags: given, err }: SessionContext, { name, tty }: Container): Promise<boolean> {
  if (given.tty && !tty && !given.quiet)
    await err(`error: Unable to use a TTY - container ${name} did not allocate one\n`)
  return tty
}

function inputOf(
  { flags: given, factory }: SessionContext,
  isTerminal: boolean,
): AsyncIterable<Uint8Array> | undefined {
  if (!given.stdin) return undefined
  const { input } = factory.environment
  return isTerminal ? untilDetached(input, parseDetachKeys(given['detach-keys'] || defaultDetachKeys)) : input
}

function farewell({ name, namespace }: ResourceObject, { name: container, isEphemeral }: Container): string {
  const line = `'kubectl attach ${name} -c ${container} -n ${namespace} -i -t'`
  return isEphemeral
    ? `Session ended, the ephemeral container will not be restarted but may be reattached using ${line} if it is still running`
    : `Session ended, resume using ${line} command`
}
