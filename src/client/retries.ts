import { ApiError } from '../api/errors.js'
import { type Clock, sleep } from '../base/clock.js'
import { type ClientRequest, ConnectionLostError, type Transport, type TransportResult } from './transport.js'

/** Default upper bound of retries of a request. */
export const maxRetries = 10

/** Milliseconds before a request is sent again after its connection broke. */
const connectionLossDelay = 1000

/**
 * Sends a request again after a first failure, if that is safe: any request that the server rejected with a `Retry-After`, because then it
 * has done nothing; and a GET whose connection broke before the response. Does not retry if the server cannot be reached. Throws the last
 * error.
 */
export async function sendAgain(
  transport: Transport,
  request: ClientRequest,
  first: unknown,
  clock: Clock,
): Promise<TransportResult> {
  let failure = first
  const limit = request.retries ?? maxRetries
  for (let retries = 0; retries < limit; retries++) {
    const delay = delayAfter(failure, request)
    if (delay === undefined) break
    await sleep(clock, delay, request.signal)
    try {
      return await transport.send(request)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** Returns milliseconds; undefined if another attempt is unsafe or useless. */
function delayAfter(error: unknown, { method }: ClientRequest): number | undefined {
  if (error instanceof ConnectionLostError) return method === 'GET' ? connectionLossDelay : undefined
  return retryDelay(error)
}

/** Returns the milliseconds after which the server wants a request again; undefined if it does not. */
export function retryDelay(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || !(error.code === 429 || error.code >= 500)) return undefined
  const { retryAfterSeconds } = error
  return retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000
}
