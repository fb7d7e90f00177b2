import type { Clock } from '../../base/clock.js'
import { formatDuration, fromMilliseconds } from '../../base/duration.js'

export interface CrashLoopOptions {
  /** Milliseconds before the second restart. Each further delay is twice as long. */
  readonly initial?: number
  readonly max?: number
}

/** A container that ran longer than this many times the maximum delay starts with the initial delay again. */
const stableAfter = 2

interface Entry {
  readonly delay: number
  /** When the delay was set, at the last restart. */
  readonly setAt: number
}

/**
 * Delays restarts of containers that exit again and again: the first restart is immediate, the second comes 10 s after the exit, then 20 s,
 * up to 5 min.
 */
export class CrashLoopBackoff {
  readonly #clock: Clock
  readonly #initial: number
  readonly #max: number
  readonly #entries = new Map<string, Entry>()

  constructor(clock: Clock, { initial = 10_000, max = 300_000 }: CrashLoopOptions = {}) {
    this.#clock = clock
    this.#max = max
    this.#initial = Math.min(initial, max)
  }

  /**
   * Returns the back-off of a container that exited at `finishedAt`, or undefined if it may restart. Times are milliseconds since the
   * epoch.
   */
  active(key: string, finishedAt: number): ActiveBackoff | undefined {
    const entry = this.#entries.get(key)
    if (!entry || this.#isStable(entry, finishedAt)) return undefined
    const until = finishedAt + entry.delay
    return this.#clock.now() < until ? { until, delay: entry.delay } : undefined
  }

  /** Records a restart after an exit at `finishedAt`. The next delay is longer. */
  recordRestart(key: string, finishedAt: number): void {
    const entry = this.#entries.get(key)
    const delay = entry && !this.#isStable(entry, finishedAt) ? Math.min(entry.delay * 2, this.#max) : this.#initial
    this.#entries.set(key, { delay, setAt: this.#clock.now() })
  }

  /** Removes all entries of a pod. */
  forget(podUid: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(`${podUid}/`)) this.#entries.delete(key)
  }

  #isStable({ setAt }: Entry, finishedAt: number): boolean {
    return finishedAt - setAt > stableAfter * this.#max
  }
}

export interface ActiveBackoff {
  readonly until: number
  readonly delay: number
}

/** Returns the key of a container. A new image starts a new back-off. */
export function crashLoopKey(podUid: string, containerName: string, hash: string): string {
  return `${podUid}/${containerName}/${hash}`
}

/** `1m20s` */
export function formatDelay(delay: number): string {
  return formatDuration(fromMilliseconds(delay))
}
