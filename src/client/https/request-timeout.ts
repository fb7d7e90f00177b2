import { whenAborted } from '../../base/abort.js'
import type { Clock } from '../../base/clock.js'
import { formatDuration, fromMilliseconds } from '../../base/duration.js'
import { type ClientRequest, releaseAfter, type Transport, type TransportResult } from '../transport.js'

/** The request took longer than its timeout. It is unknown whether it took effect. */
export class RequestTimeoutError extends Error {
  override readonly name = 'RequestTimeoutError'
}

export interface TimeLimit {
  /** In milliseconds. */
  readonly timeout: number
  readonly clock: Clock
}

/** Abandons a request after its timeout, which the server learns as a query parameter. A watch just ends then. */
export async function withTimeout(
  request: ClientRequest,
  { timeout, clock }: TimeLimit,
  send: Transport['send'],
): Promise<TransportResult> {
  const limit = new AbortController()
  const duration = formatDuration(fromMilliseconds(timeout))
  const over = () => limit.abort(new RequestTimeoutError(`the request took longer than ${duration}`))
  const timer = clock.timer(timeout, over)
  const stopListening = whenAborted(request.signal, () => limit.abort(request.signal?.reason))
  const release = () => {
    timer.cancel()
    stopListening()
  }
  try {
    request.signal?.throwIfAborted()
    const query = new URLSearchParams(request.query)
    query.set('timeout', duration)
    return releaseAfter(await send({ ...request, query, signal: limit.signal }), release)
  } catch (error) {
    release()
    throw error
  }
}
