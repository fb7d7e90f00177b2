import { boolean, text } from '../../base/flags/flag-types.js'
import { objectIn } from '../../schema/json-value.js'
import type { Factory } from '../factory/factory.js'
import type { ResourceObject } from '../resources/resource-object.js'
import { chooseContainer, podPath } from '../resources/workload-pods.js'
import { type ChannelSession, streamQuery } from './channels.js'

export const defaultDetachKeys = 'ctrl-p,ctrl-q'

/** The flags of attach and run. */
export const sessionFlags = {
  'detach-keys': text('Keys that detach from the container and leave it running', { initial: defaultDetachKeys }),
  quiet: boolean('Print only the output of the container', { short: 'q' }),
  stdin: boolean('Send standard input to the container', { short: 'i' }),
  tty: boolean('Use a terminal for standard input', { short: 't' }),
} as const

interface TerminalContext {
  readonly flags: { readonly stdin: boolean; readonly tty: boolean; readonly quiet: boolean }
  readonly factory: Factory
  err(text: string): Promise<void>
}

/** Whether to use the terminal. Warns if the user asks for one and there is none. */
export async function hasTerminal({ flags, factory, err }: TerminalContext, isWanted = flags.tty): Promise<boolean> {
  if (!flags.stdin || !isWanted) return false
  if (factory.environment.terminal) return true
  if (!flags.quiet) await err('Unable to use a TTY - input is not a terminal or the right kind of file\n')
  return false
}

interface ExecOptions {
  /** '' for the default container of the pod. */
  readonly container: string
  readonly words: readonly string[]
  readonly input: AsyncIterable<Uint8Array> | undefined
  readonly isTerminal: boolean
}

/** Prepares a command in a container. Reports the container if there was a choice. Throws if the pod has ended. */
export async function execSession(
  pod: ResourceObject,
  { container, words, input, isTerminal }: ExecOptions,
  tell: (text: string) => Promise<void>,
): Promise<ChannelSession> {
  const phase = objectIn(pod.object, 'status')?.phase
  if (phase === 'Succeeded' || phase === 'Failed')
    throw new Error(`cannot exec into a container in a completed pod; current phase is ${phase}`)
  const chosen = container || (await chooseContainer(pod, '', tell))
  const query = { ...streamQuery({ input, isTerminal }), container: chosen, command: words }
  return { path: podPath(pod, 'exec'), query, input, isTerminal }
}
