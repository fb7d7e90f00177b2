import { whenAborted } from '../base/abort.js'
import type { Clock } from '../base/clock.js'
import { formatDuration, fromMilliseconds } from '../base/duration.js'
import { type Answered, type ClientRequest, type Transport, untilEnd } from './transport.js'

/** The time that a request may take is over; whether it took effect is not known. */
export class RequestTimeoutError extends Error {
  override readonly name = 'RequestTimeoutError'
}

export interface TimeLimit {
  /** In milliseconds. */
  readonly timeout: number
  readonly clock: Clock
}

/** Gives a request up when its time is over, and tells the server how much that is. A watch just ends then. */
export async function withTimeout(
  request: ClientRequest,
  { timeout, clock }: TimeLimit,
  send: Transport['send'],
): Promise<Answered> {
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
    return released(await send({ ...request, query, signal: limit.signal }), release)
  } catch (error) {
    release()
    throw error
  }
}

/** At once; for a watch, when that is over. */
function released(answered: Answered, release: () => void): Answered {
  const { answer } = answered
  if (answer.is === 'watch') return { ...answered, answer: { ...answer, events: untilEnd(answer.events, release) } }
  release()
  return answered
}
