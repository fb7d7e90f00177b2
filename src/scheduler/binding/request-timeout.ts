import type { Clock } from '../../base/clock.js'

/** The server did not respond in time. Whether the request took effect is unknown. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError'
}

/** Milliseconds. */
const timeout = 30_000

/** Rejects if `work` takes longer than 30 s. The request is not aborted: an abort signal costs more than the timer. */
export function withRequestTimeout<T>(work: Promise<T>, clock: Clock): Promise<T> {
  return new Promise((resolve, reject) => {
    const expire = () => reject(new NoResponseError(`no response within ${timeout / 1000} s`))
    const timer = clock.timer(timeout, expire)
    work.then(resolve, reject).finally(() => timer.cancel())
  })
}
