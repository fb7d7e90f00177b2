import type { Pod } from '../../api/core/v1/pod.js'
import type { Condition } from '../../api/meta/v1/condition.js'
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../api/policy/v1/pod-disruption-budget.js'
import { scaledValue } from '../../schema/values/int-or-string.js'
import { formatTime } from '../../schema/values/time.js'
import { isReady } from '../pods/readiness.js'

/** How many pods there should be, and how many of them must be healthy. */
export interface DesiredPods {
  readonly expected: number
  readonly desired: number
}

/** Whether the budget depends on the replicas of the owners, and not only on the existing pods. */
export function countsScale({ spec }: PodDisruptionBudget): boolean {
  return spec.maxUnavailable !== undefined || typeof spec.minAvailable === 'string'
}

/** Percentages are rounded up, of both fields. Throws a `ValueError`. */
export function desiredPods({ spec }: PodDisruptionBudget, expected: number): DesiredPods {
  const { minAvailable = 0, maxUnavailable } = spec
  if (maxUnavailable !== undefined)
    return { expected, desired: Math.max(expected - scaledValue(maxUnavailable, expected, 'up'), 0) }
  return { expected, desired: scaledValue(minAvailable, expected, 'up') }
}

/** Counts pods that are ready, not being deleted, and whose eviction was not granted. */
export function countHealthy(pods: Iterable<Pod>, disrupted: Readonly<Record<string, string>>): number {
  let healthy = 0
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata
    if (deletionTimestamp === undefined && !Object.hasOwn(disrupted, name) && isReady(pod)) healthy++
  }
  return healthy
}

export interface BudgetCounts extends DesiredPods {
  readonly healthy: number
  readonly disrupted: Readonly<Record<string, string>>
}

/** If no pods are expected, no disruption is allowed: so new pods are safe before they are counted. */
export function budgetStatus(
  { metadata, status }: PodDisruptionBudget,
  { expected, desired, healthy, disrupted }: BudgetCounts,
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

/** The status if it could not be calculated: no disruption is allowed. */
export function failedBudgetStatus(
  { status }: PodDisruptionBudget,
  message: string,
  now: number,
): PodDisruptionBudgetStatus {
  const { observedGeneration = 0 } = status
  const condition = { status: 'False' as const, reason: 'SyncFailed', message, observedGeneration }
  return {
    ...{ currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    ...status,
    disruptionsAllowed: 0,
    conditions: withCondition(status.conditions, condition, now),
  }
}

type ConditionUpdate = Pick<Condition, 'status' | 'reason' | 'message'> & { readonly observedGeneration: number }

/** The transition time changes with the status only, not with the reason. */
function withCondition(
  conditions: readonly Condition[] = [],
  { observedGeneration, ...allowed }: ConditionUpdate,
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
