import type { Clock, Timer } from './clock.js'
import { DurationError, parseDuration, toMilliseconds } from './duration.js'
import type { MaybePromise } from './maybe-promise.js'
import { TimerQueue } from './timer-queue.js'

/** Milliseconds, or a text such as `1h30m`. */
export type DurationLike = number | string

export interface VirtualClockOptions {
  /** The initial value of `now()`, in milliseconds since the Unix epoch. */
  readonly start?: number
  /** The number of timers that may fire without time moving; more count as an endless loop. */
  readonly timersPerInstant?: number
}

/** Called before time moves. Time stops until the promise settles; undefined lets it move at once. */
export type Gate = () => Promise<void> | undefined

/**
 * A clock that stops until it is advanced. It then moves from timer to timer: each timer fires at its exact time, and everything that it
 * started (promises, ticks, immediates) settles before time moves again. So the same program has the same order of events each time.
 *
 * Work of the real world, such as a disk or a socket, is awaited only if the clock knows of it: see `hold` and `addGate`.
 */
export class VirtualClock implements Clock {
  readonly #agenda = new TimerQueue()
  readonly #start: number
  readonly #timersPerInstant: number
  readonly #held = new Set<Promise<unknown>>()
  readonly #gates: Gate[] = []
  #elapsed = 0
  #ranAtThisInstant = 0
  #moving = false

  constructor({ start = Date.UTC(2026, 0, 1), timersPerInstant = 100_000 }: VirtualClockOptions = {}) {
    this.#start = start
    this.#timersPerInstant = timersPerInstant
  }

  now(): number {
    return Math.floor(this.#start + this.#elapsed)
  }

  /** Starts at 0. */
  monotonic(): number {
    return this.#elapsed
  }

  timer(delay: number, run: () => void): Timer {
    return this.#agenda.add(this.#elapsed + Math.max(delay, 0), run)
  }

  /** The number of pending timers: none when everything is stopped. */
  get pending(): number {
    return this.#agenda.size
  }

  /**
   * Lets time pass, and fires the timers that are due in it, including new ones. If a timer throws, rejects with its error, and time stays
   * at that moment; the other timers stay pending.
   */
  advance(span: DurationLike): Promise<void> {
    return this.#move(async () => {
      const end = this.#elapsed + spanInMilliseconds(span)
      await this.#rest()
      while (this.#agenda.next <= end) await this.#runNext()
      this.#moveTo(end)
    })
  }

  /**
   * Moves from timer to timer until `condition` holds, and stops at that moment. Rejects if it does not hold within `limit`, or if no timer
   * is left.
   */
  runUntil(condition: () => MaybePromise<boolean>, limit: DurationLike = '1h'): Promise<void> {
    return this.#move(async () => {
      const end = this.#elapsed + spanInMilliseconds(limit)
      await this.#rest()
      while (!(await condition())) {
        if (this.pending === 0) throw new Error('the condition does not hold, and no timer is left to wait for')
        if (this.#agenda.next > end) throw new Error(`the condition does not hold within ${describe(limit)}`)
        await this.#runNext()
      }
    })
  }

  /** Lets everything settle that needs no time, including timers that are due now. */
  settle(): Promise<void> {
    return this.advance(0)
  }

  /** Stops time while `work`, which needs the real world, is running. It must not wait for a timer of this clock. Returns `work`. */
  hold<T>(work: Promise<T>): Promise<T> {
    const release = () => this.#held.delete(work)
    this.#held.add(work)
    work.then(release, release)
    return work
  }

  /** Calls `gate` each time before time moves. */
  addGate(gate: Gate): void {
    this.#gates.push(gate)
  }

  async #runNext(): Promise<void> {
    this.#moveTo(this.#agenda.next)
    if (++this.#ranAtThisInstant > this.#timersPerInstant)
      throw new Error(
        `${this.#timersPerInstant} timers ran and time has not moved: something keeps setting timers without delay`,
      )
    this.#agenda.take(this.#elapsed)?.()
    await this.#rest()
  }

  async #rest(): Promise<void> {
    await immediatesAreThrough()
    for (let open = this.#obstacle(); open; open = this.#obstacle()) {
      await open.catch(() => {}) // the caller of the work handles its error
      await immediatesAreThrough()
    }
  }

  #obstacle(): Promise<unknown> | undefined {
    if (this.#held.size > 0) return Promise.race(this.#held)
    for (const gate of this.#gates) {
      const closed = gate()
      if (closed) return closed
    }
    return undefined
  }

  #moveTo(time: number): void {
    if (time === this.#elapsed) return
    this.#elapsed = time
    this.#ranAtThisInstant = 0
  }

  /** Two callers at once would each see the time of the other; a call from a timer would wait for itself. */
  async #move(movement: () => Promise<void>): Promise<void> {
    if (this.#moving) throw new Error('time is already being moved: await the earlier call first')
    this.#moving = true
    try {
      await movement()
    } finally {
      this.#moving = false
    }
  }
}

/** Throws a `RangeError` for a text that is no duration, and for a negative duration. */
export function spanInMilliseconds(span: DurationLike): number {
  const milliseconds = typeof span === 'number' ? span : parsedSpan(span)
  if (!(milliseconds >= 0 && Number.isFinite(milliseconds)))
    throw new RangeError(
      `time cannot move by ${JSON.stringify(span)}: write a duration such as '1h30m', or milliseconds as a number`,
    )
  return milliseconds
}

function parsedSpan(span: unknown): number {
  if (typeof span !== 'string') return Number.NaN
  try {
    return toMilliseconds(parseDuration(span))
  } catch (error) {
    if (!(error instanceof DurationError)) throw error
    return Number.NaN
  }
}

function describe(span: DurationLike): string {
  return typeof span === 'number' ? `${span} ms` : span
}

/**
 * Resolves when nothing is left that would run by itself. Ticks and promises are done whenever an immediate runs; immediates may start
 * further ones, and Node reports how many are pending.
 */
async function immediatesAreThrough(): Promise<void> {
  do await new Promise<void>((resolve) => setImmediate(resolve))
  while (process.getActiveResourcesInfo().includes('Immediate'))
}
