import { whenAborted } from './abort.js'
import { TimerQueue } from './timer-queue.js'

/**
 * Time as a component sees it. Nothing in Proa reads `Date.now()` or calls `setTimeout` itself: it is handed a clock, so that
 * a test can hold time still, or let an hour pass in a millisecond.
 */
export interface Clock {
  /** Whole milliseconds since the Unix epoch: what people read. It may jump when the machine's clock is set. */
  now(): number
  /** Milliseconds from an arbitrary start, with fractions. It never goes back: for measuring and for deadlines. */
  monotonic(): number
  /**
   * Calls `run` once, no earlier than `delay` milliseconds of monotonic time from now, and never before this returns. Timers
   * run in order of their due times, those due together in order of creation, and what one of them set off among promises
   * has settled before the next one runs. A delay may be of any length; an infinite one never ends.
   */
  timer(delay: number, run: () => void): Timer
}

export interface Timer {
  /** After this returns, the callback is never called. Cancelling twice, or after it ran, does nothing. */
  cancel(): void
}

/** The longest delay that Node's timers take; they run anything longer at once. */
const longestTimeout = 2 ** 31 - 1

/**
 * The real time. Its timers do not keep the process alive: what holds a process open is its servers, not its housekeeping.
 *
 * Node's own timers are only the alarm that wakes the agenda, because they keep less than a clock promises: they cut fractions
 * off, are often early by most of a millisecond, and run a delay beyond 24.8 days at once.
 */
class SystemClock implements Clock {
  readonly #agenda = new TimerQueue()
  /** When the agenda will be looked at next: no later than its first entry is due. */
  #alarm = Number.POSITIVE_INFINITY
  #timeout: NodeJS.Timeout | undefined

  now(): number {
    return Date.now()
  }

  monotonic(): number {
    const [seconds, nanoseconds] = process.hrtime() // as quick as `performance`, which would first have to be loaded
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
    const delay = Math.min(Math.ceil(next - this.monotonic()), longestTimeout)
    this.#timeout = setTimeout(() => this.#runDue(this.monotonic()), delay).unref()
    this.#alarm = next
  }

  /** Runs what was due at `time`: one timer in each turn of the event loop, so that promises settle in between. */
  #runDue(time: number): void {
    this.#alarm = Number.NEGATIVE_INFINITY // while this is at work, no alarm is needed
    try {
      this.#agenda.take(time)?.()
    } finally {
      // Also when the timer threw: the others still get their turn.
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

/** Resolves after `delay` milliseconds; rejects with the signal's reason as soon as the signal is aborted. */
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
