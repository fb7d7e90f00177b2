import { ApiError } from '../api/errors.js'
import { type Clock, sleep } from '../base/clock.js'
import { type ClientRequest, ConnectionLostError, type Transport, type TransportResult } from './transport.js'

/** How many times a request is tried again, unless it says otherwise. */
const mostRetries = 10

/** Milliseconds before a request is sent again whose connection broke. */
const afterLoss = 1000

/**
 * Tries again after a first failure, where that is safe: anything that the server turned away with the time after which to come back,
 * for then it has done nothing; and what only reads when the connection broke before an answer. A server that cannot be reached is not
 * asked again. Throws the last error.
 */
export async function sendAgain(
  transport: Transport,
  request: ClientRequest,
  first: unknown,
  clock: Clock,
): Promise<TransportResult> {
  let failure = first
  const most = request.retries ?? mostRetries
  for (let retries = 0; retries < most; retries++) {
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

/** In milliseconds; undefined where another attempt is not safe, or of no use. */
function delayAfter(error: unknown, { method }: ClientRequest): number | undefined {
  if (error instanceof ConnectionLostError) return method === 'GET' ? afterLoss : undefined
  if (!(error instanceof ApiError) || !(error.code === 429 || error.code >= 500)) return undefined
  const { retryAfterSeconds } = error
  return retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000
}
