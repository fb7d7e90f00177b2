import type { Clock } from '../../base/clock.js'
import { formatDuration, fromMilliseconds } from '../../base/duration.js'

export interface CrashLoopOptions {
  /** Milliseconds before the second restart; each further one waits twice as long. */
  readonly initial?: number
  readonly max?: number
}

/** A container that ran for so many times the longest delay is no longer taken for one that crashes. */
const stableAfter = 2

interface Entry {
  readonly delay: number
  /** When the delay was last set: at the restart that it holds the next one back for. */
  readonly setAt: number
}

/** Holds back containers that end again and again: the first restart is at once, the second 10 s after the end, then 20 s, up to 5 min. */
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

  /** How long the container is held back that ended then; undefined if it is not. Times are milliseconds since the epoch. */
  active(key: string, finishedAt: number): ActiveBackoff | undefined {
    const entry = this.#entries.get(key)
    if (!entry || this.#isStable(entry, finishedAt)) return undefined
    const until = finishedAt + entry.delay
    return this.#clock.now() < until ? { until, delay: entry.delay } : undefined
  }

  /** The container that ended then is started again: the next one of it waits longer. */
  recordRestart(key: string, finishedAt: number): void {
    const entry = this.#entries.get(key)
    const delay = entry && !this.#isStable(entry, finishedAt) ? Math.min(entry.delay * 2, this.#max) : this.#initial
    this.#entries.set(key, { delay, setAt: this.#clock.now() })
  }

  /** Forgets whatever belongs to a pod that is gone. */
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

/** What is held back: another image is another chance. */
export function crashLoopKey(podUid: string, containerName: string, hash: string): string {
  return `${podUid}/${containerName}/${hash}`
}

/** `1m20s` */
export function formatDelay(delay: number): string {
  return formatDuration(fromMilliseconds(delay))
}
