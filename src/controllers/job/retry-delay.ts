import type { Pod } from '../../api/core/v1/pod.js'
import { earlierFailures, finishedAt } from './tracked-pods.js'

const first = 10_000
const longest = 600_000

/** Failures in a row, since the last success. */
export interface Failures {
  readonly count: number
  /** When the last of them was. */
  readonly last: number
}

export const noFailures: Failures = { count: 0, last: 0 }

/** What is in a row now that these pods have ended as well. */
export function failuresAfter(before: Failures, ended: EndedPods): Failures {
  const { succeeded, failed } = ended
  if (succeeded.length === 0 && failed.length === 0) return before
  const lastSuccess = Math.max(...succeeded.map(finishedAt)) // of none: before all time
  const since = failed.map(finishedAt).filter((time) => time > lastSuccess)
  if (since.length === 0) return noFailures
  const earlier = succeeded.length === 0 ? before.count : 0
  return { count: earlier + since.length, last: Math.max(...since) }
}

export interface EndedPods {
  readonly succeeded: readonly Pod[]
  readonly failed: readonly Pod[]
}

/** Milliseconds until another pod may be made: ten seconds after the first failure, twice as long after each further one. */
export function remainingDelay({ count, last }: Failures, now: number): number {
  if (count === 0) return 0
  return Math.max(0, last + Math.min(first * 2 ** (count - 1), longest) - now)
}

/** Where each index has its own limit, it also has its own row of failures; the pod that is replaced knows how long it is. */
export function remainingDelayOfIndex(replaced: Pod | undefined, now: number): number {
  if (!replaced) return 0
  const { counted, ignored } = earlierFailures(replaced)
  return remainingDelay({ count: counted + ignored + 1, last: finishedAt(replaced) }, now)
}
