import type { Clock } from '../../base/clock.js'
import type { ReceivedResponse, Requests } from '../golden/requests.js'

/** The cluster on which scenarios run, and its clock. */
export interface ScenarioContext {
  readonly requests: Pick<Requests, 'send'>
  readonly clock: Clock
  /** The kubelet's folder of static pods. */
  readonly manifests?: string | undefined
}

/** Returns the status and message of a response, for error messages. */
export function responseSummary({ status, body }: ReceivedResponse): string {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : body
  return `${status} ${typeof message === 'string' ? message : JSON.stringify(message)}`
}
