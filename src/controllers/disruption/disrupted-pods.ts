import type { Pod } from '../../api/core/v1/pod.js'
import type { PodDisruptionBudget } from '../../api/policy/v1/pod-disruption-budget.js'
import { parseTime } from '../../schema/values/time.js'

/** Milliseconds that a pod may exist after its eviction was granted. After that it is expected to stay. */
const deletionTimeout = 120_000

export interface DisruptedPods {
  /** When the eviction of each pod was granted that is still expected to go. */
  readonly pods: Readonly<Record<string, string>>
  /** Pods that should be gone and are not. */
  readonly overdue: readonly Pod[]
  /** When the next one is overdue, in milliseconds since the epoch. */
  readonly next?: number
}

/** The pods whose eviction was granted and that are not being deleted yet. */
export function disruptedPods({ status }: PodDisruptionBudget, pods: Iterable<Pod>, now: number): DisruptedPods {
  const granted = status.disruptedPods ?? {}
  const left: Record<string, string> = {}
  const overdue: Pod[] = []
  let next = Number.POSITIVE_INFINITY
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata
    const since = granted[name]
    if (deletionTimestamp !== undefined || !since) continue
    const until = parseTime(since) + deletionTimeout
    if (until < now) overdue.push(pod)
    else {
      left[name] = since
      next = Math.min(next, until)
    }
  }
  return { pods: left, overdue, ...(Number.isFinite(next) && { next }) }
}
