import { environment } from '../../../base/environment.js'
import { Client } from '../../../client/client.js'
import type { Occurrence } from '../../../client/events/event-recorder.js'
import type { ClientRequest, Transport } from '../../../client/transport.js'
import type { PostFilterResult } from '../../framework/plugin.js'

export interface EvictionResult {
  /** Names of the deleted pods, in the order of the requests. */
  readonly deleted: readonly string[]
  readonly requests: readonly ClientRequest[]
  readonly events: readonly Occurrence[]
}

/** Executes a PostFilter result against a server that accepts every request. */
export async function executeEviction(
  { execute }: PostFilterResult,
  onRequest: (request: ClientRequest) => void = () => {},
): Promise<EvictionResult> {
  const requests: ClientRequest[] = []
  const events: Occurrence[] = []
  const transport: Transport = {
    async send(request) {
      requests.push(request)
      onRequest(request)
      return { response: { is: 'object', code: 200, object: { object: {} as never } }, warnings: [] }
    },
    close() {},
  }
  const client = new Client(transport)
  await execute!({ client, environment: environment(), events: { record: (event) => events.push(event) } })
  const deleted = requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path.split('/').at(-1)!)
  return { deleted, requests, events }
}
