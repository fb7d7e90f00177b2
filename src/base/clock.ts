/**
 * Time as a component sees it. Nothing in Proa reads `Date.now()` or calls `setTimeout` itself: it is handed a clock, so that
 * a test can hold time still, or let an hour pass in a millisecond.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch: what people read. It may jump when the machine's clock is set. */
  now(): number
  /** Milliseconds from an arbitrary start, with fractions. It never goes back: for measuring and for deadlines. */
  monotonic(): number
  /** Calls `run` once, no earlier than `delay` milliseconds from now. Timers that are due together run in order of creation. */
  timer(delay: number, run: () => void): Timer
}

export interface Timer {
  /** After this returns, the callback is never called. Cancelling twice, or after it ran, does nothing. */
  cancel(): void
}

/** The real time. Its timers do not keep the process alive: what holds a process open is its servers, not its housekeeping. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer(delay, run) {
    const handle = setTimeout(run, delay).unref()
    return { cancel: () => clearTimeout(handle) }
  },
}

/** Resolves after `delay` milliseconds; rejects with the signal's reason as soon as the signal is aborted. */
export function sleep(clock: Clock, delay: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      timer.cancel()
      reject(signal?.reason)
    }
    const timer = clock.timer(delay, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
