import type { ChannelSession } from './channels.js'
import type { CopyCall } from './cp-flags.js'
import type { Place } from './cp-place.js'
import { execSession } from './exec-session.js'
import { podInfo, podResource } from './pods-of.js'
import { type Info, pathOf } from './resources/info.js'

export interface CommandInPod {
  readonly words: readonly string[]
  readonly input?: AsyncIterable<Uint8Array>
  /** Is told which container was chosen. */
  readonly tell: (text: string) => Promise<void>
}

/** A command in the container that is copied from or to. The pod is asked for anew: much may happen while something is copied. */
export async function commandInPod(
  { factory, flags }: CopyCall,
  place: Place,
  { words, input, tell }: CommandInPod,
): Promise<ChannelSession> {
  const namespace = place.namespace || (await factory.namespace()).name
  const resource = await podResource(factory)
  const object = await (await factory.rest()).json<Info['object']>({ path: pathOf(resource, namespace, place.pod) })
  const wish = { container: flags.container, words, input, isTerminal: false }
  return execSession(podInfo(resource, namespace, object), wish, tell)
}
