import type { Pod } from '../../api/core/v1/pod.js'
import type { PodDisruptionBudget } from '../../api/policy/v1/pod-disruption-budget.js'
import { parseTime } from '../../schema/values/time.js'

/** So long a pod whose eviction was granted may take to be seen going, in milliseconds; then it is taken for one that stays. */
const patience = 120_000

export interface Disrupted {
  /** Those that are still expected to go, and since when. */
  readonly pods: Readonly<Record<string, string>>
  /** Those of which it is no longer expected. */
  readonly overdue: readonly Pod[]
  /** When the next one is overdue, in milliseconds since the epoch. */
  readonly next?: number
}

/** What is left of the pods whose eviction was granted: who goes, or has gone, is not waited for. */
export function disruptedPods({ status }: PodDisruptionBudget, pods: Iterable<Pod>, now: number): Disrupted {
  const granted = status.disruptedPods ?? {}
  const left: Record<string, string> = {}
  const overdue: Pod[] = []
  let next = Number.POSITIVE_INFINITY
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata
    const since = granted[name]
    if (deletionTimestamp !== undefined || !since) continue
    const until = parseTime(since) + patience
    if (until < now) overdue.push(pod)
    else {
      left[name] = since
      next = Math.min(next, until)
    }
  }
  return { pods: left, overdue, ...(Number.isFinite(next) && { next }) }
}
