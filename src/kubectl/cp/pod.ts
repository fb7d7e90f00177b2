import { boolean, signedInteger, text } from '../../base/flags/flag-types.js'
import type { CommandContext } from '../command.js'
import type { ChannelSession } from '../exec/channels.js'
import { execSession } from '../exec/session.js'
import { type ResourceObject, resourcePath } from '../resources/resource-object.js'
import { podInfo, podResource } from '../resources/workload-pods.js'
import type { CopyLocation } from './location.js'

export const copyFlags = {
  container: text('The container to use', { short: 'c' }),
  'no-preserve': boolean('Do not preserve owners and permissions in the container'),
  retries: signedInteger(
    'How often a copy from a container is resumed that broke off; without end where it is less than 0',
  ),
} as const

export type CopyContext = CommandContext<typeof copyFlags>

interface PodCommand {
  readonly words: readonly string[]
  readonly input?: AsyncIterable<Uint8Array>
  /** Called with a message that names the chosen container. */
  readonly tell: (text: string) => Promise<void>
}

/** Prepares a command in the container of the copy. Fetches the pod again each time, because a copy may take long. */
export async function commandInPod(
  { factory, flags }: CopyContext,
  place: CopyLocation,
  { words, input, tell }: PodCommand,
): Promise<ChannelSession> {
  const namespace = place.namespace || (await factory.namespace()).name
  const resource = await podResource(factory)
  const object = await (await factory.rest()).json<ResourceObject['object']>({
    path: resourcePath(resource, namespace, place.pod),
  })
  const options = { container: flags.container, words, input, isTerminal: false }
  return execSession(podInfo(resource, namespace, object), options, tell)
}
