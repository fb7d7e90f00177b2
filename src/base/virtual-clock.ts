import type { Clock, Timer } from './clock.js'
import { DurationError, parseDuration, toMilliseconds } from './duration.js'
import type { MaybePromise } from './maybe-promise.js'
import { TimerQueue } from './timer-queue.js'

/** Milliseconds, or a text such as `1h30m`. */
export type DurationLike = number | string

export interface VirtualClockOptions {
  /** What `now()` says at first, in milliseconds since the Unix epoch. */
  readonly start?: number
  /** So many timers may run without time moving; one more is taken for a loop that would never end. */
  readonly timersPerInstant?: number
}

/** Asked before time moves. Time stands still until the promise settles; undefined: time may move at once. */
export type Gate = () => Promise<void> | undefined

/**
 * A clock that stands still until it is told to move. It then goes from timer to timer: time is exactly what was asked for when
 * a timer runs, and all that the timer set off (promises, ticks, immediates, and whatever they set off in turn) comes to rest
 * before time moves again. So the same program sees the same order of events each time.
 *
 * What only the real world can finish, such as a disk or a socket, is waited for only if the clock is told of it: see `hold` and `addGate`.
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

  /** How many timers have yet to run: none, once everything that was started has been stopped. */
  get pending(): number {
    return this.#agenda.size
  }

  /**
   * Lets time pass, and runs the timers that fall due within it, those included that are set on the way. Should a timer throw,
   * this rejects with what it threw, and time stands at that moment; the other timers remain to be run.
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
   * Goes from timer to timer until `condition` holds, and stands at the moment when it first does. Rejects when it does not
   * hold within `limit`, or when no timer is left that could change anything.
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

  /** Lets everything come to rest that can do so without time moving, timers that are due at this very moment included. */
  settle(): Promise<void> {
    return this.advance(0)
  }

  /**
   * Time does not move while `work`, which needs the real world, is under way. It must not itself wait for a timer of this
   * clock. Gives back `work`.
   */
  hold<T>(work: Promise<T>): Promise<T> {
    const release = () => this.#held.delete(work)
    this.#held.add(work)
    work.then(release, release)
    return work
  }

  /** Asks `gate` each time before time moves. */
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
      await open.catch(() => {}) // how it ends is for the one who awaits the work itself
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

  /** Two who move time at once would each see the other's hours pass; and from within a timer it would wait for itself. */
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

/** Throws a `RangeError` for what is no duration, and for a negative one. */
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
 * Resolves when nothing is left that would run by itself. Ticks and promises are through whenever an immediate runs; immediates
 * may set off further ones, and Node tells how many are waiting.
 */
async function immediatesAreThrough(): Promise<void> {
  do await new Promise<void>((resolve) => setImmediate(resolve))
  while (process.getActiveResourcesInfo().includes('Immediate'))
}
