import type { Pod } from '../../api/core/v1/pod.js'
import { earlierFailures, finishedAt } from './tracked-pods.js'

const initialDelay = 10_000
const maxDelay = 600_000

/** The failures since the last success. */
export interface FailureStreak {
  readonly count: number
  /** The time of the last failure. */
  readonly last: number
}

export const noStreak: FailureStreak = { count: 0, last: 0 }

/** The streak after these pods have ended as well. */
export function streakAfter(before: FailureStreak, ended: EndedPods): FailureStreak {
  const { succeeded, failed } = ended
  if (succeeded.length === 0 && failed.length === 0) return before
  const lastSuccess = Math.max(...succeeded.map(finishedAt)) // -Infinity if there is none
  const since = failed.map(finishedAt).filter((time) => time > lastSuccess)
  if (since.length === 0) return noStreak
  const earlier = succeeded.length === 0 ? before.count : 0
  return { count: earlier + since.length, last: Math.max(...since) }
}

export interface EndedPods {
  readonly succeeded: readonly Pod[]
  readonly failed: readonly Pod[]
}

/** Milliseconds until another pod may be created: 10 s after the first failure, twice as long after each further one. */
export function remainingDelay({ count, last }: FailureStreak, now: number): number {
  if (count === 0) return 0
  return Math.max(0, last + Math.min(initialDelay * 2 ** (count - 1), maxDelay) - now)
}

/** With a backoff limit per index, each index has its own streak. The annotations of the replaced pod have its length. */
export function remainingDelayOfIndex(replaced: Pod | undefined, now: number): number {
  if (!replaced) return 0
  const { counted, ignored } = earlierFailures(replaced)
  return remainingDelay({ count: counted + ignored + 1, last: finishedAt(replaced) }, now)
}
