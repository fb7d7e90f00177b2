import { objectIn } from '../../schema/json-value.js'
import type { ResourceObject } from '../resources/info.js'
import { chosenContainer, podPath } from '../resources/workload-pods.js'
import { type ChannelSession, streamQuery } from './channels.js'

export interface ExecOptions {
  /** '' where the pod is to choose. */
  readonly container: string
  readonly words: readonly string[]
  readonly input: AsyncIterable<Uint8Array> | undefined
  readonly isTerminal: boolean
}

/** A command in a container of a pod. Tells which one where there was a choice; throws where the pod is over. */
export async function execSession(
  pod: ResourceObject,
  { container, words, input, isTerminal }: ExecOptions,
  tell: (text: string) => Promise<void>,
): Promise<ChannelSession> {
  const phase = objectIn(pod.object, 'status')?.phase
  if (phase === 'Succeeded' || phase === 'Failed')
    throw new Error(`cannot exec into a container in a completed pod; current phase is ${phase}`)
  const chosen = container || (await chosenContainer(pod, '', tell))
  const query = { ...streamQuery({ input, isTerminal }), container: chosen, command: words }
  return { path: podPath(pod, 'exec'), query, input, isTerminal }
}
