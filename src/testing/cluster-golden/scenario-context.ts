import type { Clock } from '../../base/clock.js'
import type { ReceivedResponse, Requests } from '../golden/requests.js'

/** Where scenarios are played: a cluster, and the clock that it goes by. */
export interface ScenarioContext {
  readonly requests: Pick<Requests, 'send'>
  readonly clock: Clock
  /** The kubelet's folder of static pods. */
  readonly manifests?: string | undefined
}

/** What the server said, for a line about what went wrong. */
export function responseSummary({ status, body }: ReceivedResponse): string {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : body
  return `${status} ${typeof message === 'string' ? message : JSON.stringify(message)}`
}
