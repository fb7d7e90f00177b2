import type { Pod } from '../../api/core/v1/pod.js'
import type { Condition } from '../../api/meta/v1/condition.js'
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../api/policy/v1/pod-disruption-budget.js'
import { scaledValue } from '../../schema/values/int-or-string.js'
import { formatTime } from '../../schema/values/time.js'
import { isReady } from '../pods/readiness.js'

/** How many pods there should be, and how many of them must be well. */
export interface Wanted {
  readonly expected: number
  readonly desired: number
}

/** Whether the sizes of those who make the pods count, and not only the pods that there are. */
export function countsScale({ spec }: PodDisruptionBudget): boolean {
  return spec.maxUnavailable !== undefined || typeof spec.minAvailable === 'string'
}

/** Parts of a whole are rounded up: of what must be there as of what may be missing. Throws a `ValueError`. */
export function wanted({ spec }: PodDisruptionBudget, expected: number): Wanted {
  const { minAvailable = 0, maxUnavailable } = spec
  if (maxUnavailable !== undefined)
    return { expected, desired: Math.max(expected - scaledValue(maxUnavailable, expected, 'up'), 0) }
  return { expected, desired: scaledValue(minAvailable, expected, 'up') }
}

/** Pods that are ready and of which nobody has been told that they may go. */
export function countHealthy(pods: Iterable<Pod>, disrupted: Readonly<Record<string, string>>): number {
  let healthy = 0
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata
    if (deletionTimestamp === undefined && !Object.hasOwn(disrupted, name) && isReady(pod)) healthy++
  }
  return healthy
}

export interface Counted extends Wanted {
  readonly healthy: number
  readonly disrupted: Readonly<Record<string, string>>
}

/** Where no pods are expected nothing is allowed: the first that appear are safe before anybody has counted them. */
export function budgetStatus(
  { metadata, status }: PodDisruptionBudget,
  { expected, desired, healthy, disrupted }: Counted,
  now: number,
): PodDisruptionBudgetStatus {
  const observedGeneration = metadata.generation ?? 0
  const disruptionsAllowed = expected > 0 ? Math.max(healthy - desired, 0) : 0
  const condition = {
    status: disruptionsAllowed > 0 ? ('True' as const) : ('False' as const),
    reason: disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration,
  }
  return {
    observedGeneration,
    ...(Object.keys(disrupted).length > 0 && { disruptedPods: disrupted }),
    disruptionsAllowed,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
    conditions: withCondition(status.conditions, condition, now),
  }
}

/** What is known of a budget that cannot be kept: whatever else it says, nothing may be disrupted. */
export function failedBudgetStatus(
  { status }: PodDisruptionBudget,
  why: string,
  now: number,
): PodDisruptionBudgetStatus {
  const { observedGeneration = 0 } = status
  const condition = { status: 'False' as const, reason: 'SyncFailed', message: why, observedGeneration }
  return {
    ...{ currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    ...status,
    disruptionsAllowed: 0,
    conditions: withCondition(status.conditions, condition, now),
  }
}

type Allowed = Pick<Condition, 'status' | 'reason' | 'message'> & { readonly observedGeneration: number }

/** The time tells when the answer last changed, not why. */
function withCondition(
  conditions: readonly Condition[] = [],
  { observedGeneration, ...allowed }: Allowed,
  now: number,
): readonly Condition[] {
  const type = 'DisruptionAllowed'
  const position = conditions.findIndex((each) => each.type === type)
  const before = conditions[position]
  const condition: Condition = {
    type,
    ...(observedGeneration !== 0 && { observedGeneration }),
    lastTransitionTime: before?.status === allowed.status ? before.lastTransitionTime : formatTime(now),
    ...allowed,
  }
  return position < 0 ? [...conditions, condition] : conditions.with(position, condition)
}
