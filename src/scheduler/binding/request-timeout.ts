import type { Clock } from '../../base/clock.js'

/** Nothing was heard of a request for so long that nothing more is expected. What became of it is not known. */
export class NoResponseError extends Error {
  override readonly name = 'UnansweredError'
}

/** Milliseconds. */
const patience = 30_000

/** Gives what `work` gives, unless that takes too long. It costs a timer: less than to give the work up would. */
export function withRequestTimeout<T>(work: Promise<T>, clock: Clock): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new NoResponseError(`there was no answer in ${patience / 1000} s`))
    const timer = clock.timer(patience, late)
    work.then(resolve, reject).finally(() => timer.cancel())
  })
}
