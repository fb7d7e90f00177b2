import { ApiError } from '../api/errors.js'
import { type Clock, sleep } from '../base/clock.js'
import { type Answered, type ClientRequest, ConnectionLostError, type Transport } from './transport.js'

/** How many times a request is tried again, unless it says otherwise. */
const mostRetries = 10

/** Milliseconds before a request is sent again whose connection broke. */
const afterLoss = 1000

/**
 * Tries again where that is safe: anything that the server turned away with the time after which to come back, for then it has done
 * nothing; and what only reads when the connection broke before an answer. A server that cannot be reached is not asked again.
 */
export async function sendWithRetries(transport: Transport, request: ClientRequest, clock: Clock): Promise<Answered> {
  const most = request.retries ?? mostRetries
  for (let retries = 0; ; retries++) {
    try {
      return await transport.send(request)
    } catch (error) {
      const delay = delayAfter(error, request)
      if (delay === undefined || retries === most) throw error
      await sleep(clock, delay, request.signal)
    }
  }
}

/** In milliseconds; undefined where another attempt is not safe, or of no use. */
function delayAfter(error: unknown, { method }: ClientRequest): number | undefined {
  if (error instanceof ConnectionLostError) return method === 'GET' ? afterLoss : undefined
  if (!(error instanceof ApiError) || !(error.code === 429 || error.code >= 500)) return undefined
  const { retryAfterSeconds } = error
  return retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000
}
