import { whenAborted } from './abort.js'
import { TimerQueue } from './timer-queue.js'

/**
 * The time of a component. No code of Proa calls `Date.now()` or `setTimeout` itself: it gets a clock, so that a test can stop time, or let
 * an hour pass in a millisecond.
 */
export interface Clock {
  /** Whole milliseconds since the Unix epoch, for people. It may jump when the clock of the host is set. */
  now(): number
  /** Milliseconds from an arbitrary start, with fractions. It never goes back: for measurements and deadlines. */
  monotonic(): number
  /**
   * Calls `run` once, at least `delay` milliseconds of monotonic time from now, and never before this returns. Timers fire in order of
   * their due times, then of creation; promises settle between two timers. A delay may have any length; an infinite one never ends.
   */
  timer(delay: number, run: () => void): Timer
}

export interface Timer {
  /** After this returns, the callback is never called. Does nothing if called twice, or after the timer fired. */
  cancel(): void
}

/** The maximum delay of Node's timers; they fire longer ones at once. */
const maxTimeout = 2 ** 31 - 1

/**
 * The real time. Its timers do not keep the process alive: servers do.
 *
 * Node's own timers only wake the queue of timers, because they guarantee less than a clock: they truncate fractions, often fire almost a
 * millisecond early, and fire a delay above 24.8 days at once.
 */
class SystemClock implements Clock {
  readonly #agenda = new TimerQueue()
  /** When the queue is checked next: not later than its first entry is due. */
  #alarm = Number.POSITIVE_INFINITY
  #timeout: NodeJS.Timeout | undefined

  now(): number {
    return Date.now()
  }

  monotonic(): number {
    const [seconds, nanoseconds] = process.hrtime() // as fast as `performance`, which would have to be loaded first
    return seconds * 1e3 + nanoseconds / 1e6
  }

  timer(delay: number, run: () => void): Timer {
    const timer = this.#agenda.add(this.monotonic() + Math.max(delay, 0), run)
    this.#setAlarm()
    return timer
  }

  #setAlarm(): void {
    const { next } = this.#agenda
    if (next >= this.#alarm) return
    clearTimeout(this.#timeout)
    const delay = Math.min(Math.ceil(next - this.monotonic()), maxTimeout)
    this.#timeout = setTimeout(() => this.#runDue(this.monotonic()), delay).unref()
    this.#alarm = next
  }

  /** Runs the timers that were due at `time`: one in each turn of the event loop, so that promises settle in between. */
  #runDue(time: number): void {
    this.#alarm = Number.NEGATIVE_INFINITY // no alarm is needed while this runs
    try {
      this.#agenda.take(time)?.()
    } finally {
      // Also if the timer threw: the others still run.
      if (this.#agenda.next <= time) setImmediate(() => this.#runDue(time))
      else this.#stopRunning()
    }
  }

  #stopRunning(): void {
    this.#alarm = Number.POSITIVE_INFINITY
    this.#setAlarm()
  }
}

export const systemClock: Clock = new SystemClock()

/** Resolves after `delay` milliseconds. Rejects with the reason of the signal as soon as it is aborted. */
export function sleep(clock: Clock, delay: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = clock.timer(delay, () => {
      stopListening()
      resolve()
    })
    const stopListening = whenAborted(signal, () => {
      timer.cancel()
      reject(signal?.reason)
    })
  })
}
