import { environment } from '../../../base/environment.js'
import { Client } from '../../../client/client.js'
import type { Occurrence } from '../../../client/events/event-recorder.js'
import type { ClientRequest, Transport } from '../../../client/transport.js'
import type { PostFilterResult } from '../../framework/plugin.js'

export interface Evicted {
  /** Names, in the order in which it was asked. */
  readonly deleted: readonly string[]
  readonly requests: readonly ClientRequest[]
  readonly events: readonly Occurrence[]
}

/** Carries out a rescue against a server that takes everything, and tells what was asked of it. */
export async function evictedBy(
  { execute }: PostFilterResult,
  answer: (request: ClientRequest) => void = () => {},
): Promise<Evicted> {
  const requests: ClientRequest[] = []
  const events: Occurrence[] = []
  const transport: Transport = {
    async send(request) {
      requests.push(request)
      answer(request)
      return { answer: { is: 'object', object: { object: {} } }, warnings: [] } as never
    },
    close() {},
  }
  const client = new Client(transport)
  await execute!({ client, environment: environment(), events: { record: (event) => events.push(event) } })
  const deleted = requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path.split('/').at(-1)!)
  return { deleted, requests, events }
}
