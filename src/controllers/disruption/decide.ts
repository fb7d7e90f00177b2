import type { Pod } from '../../api/core/v1/pod.js'
import type { LabelSelector } from '../../api/meta/v1/label-selector.js'
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../api/policy/v1/pod-disruption-budget.js'
import { compareText } from '../../schema/text-order.js'
import { messageOf } from '../runtime/failures.js'
import { budgetStatus, countHealthy, type DesiredPods, desiredPods, failedBudgetStatus } from './budget-status.js'
import { disruptedPods } from './disrupted-pods.js'
import type { ExpectedPods } from './expected-pods.js'

export interface BudgetObservation {
  readonly budget: PodDisruptionBudget
  readonly now: number
  /** The pods that the budget selects, or why its selector is invalid. */
  readonly pods: { readonly found: readonly Pod[] } | { readonly error: unknown }
  /** How many pods there should be, or why that is unknown. Undefined if the budget does not depend on it. */
  readonly expected?: ExpectedPods | { readonly error: unknown }
}

export interface BudgetDecision {
  readonly events: readonly BudgetEvent[]
  readonly status: PodDisruptionBudgetStatus
  /** Why the status could not be calculated. */
  readonly error?: unknown
  readonly requeueAfter?: number
}

export interface BudgetEvent {
  readonly about: PodDisruptionBudget | Pod
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

export function decide({ budget, now, pods, expected }: BudgetObservation): BudgetDecision {
  if ('error' in pods) {
    const message = `Failed to get pods: ${messageOf(pods.error)}`
    return failed(budget, now, { error: pods.error, events: [warning(budget, 'NoPods', message)] })
  }
  const { found } = pods
  const noPods: BudgetEvent[] =
    found.length > 0 ? [] : [{ about: budget, type: 'Normal', reason: 'NoPods', message: 'No matching pods found' }]
  const { numbers, events, error } = numbersOf(budget, found, expected)
  if (!numbers) return failed(budget, now, { error, events: [...noPods, ...events] })
  const disrupted = disruptedPods(budget, found, now)
  const counts = { ...numbers, healthy: countHealthy(found, disrupted.pods), disrupted: disrupted.pods }
  return {
    events: [...noPods, ...events, ...disrupted.overdue.map((pod) => notDeletedEvent(pod, budget))],
    status: budgetStatus(budget, counts, now),
    // One millisecond later: a pod is overdue only when its time has passed.
    ...(disrupted.next !== undefined && { requeueAfter: disrupted.next - now + 1 }),
  }
}

function failed(
  budget: PodDisruptionBudget,
  now: number,
  { error, events }: { readonly error: unknown; readonly events: readonly BudgetEvent[] },
): BudgetDecision {
  return { events, status: failedBudgetStatus(budget, messageOf(error), now), error }
}

interface BudgetNumbers {
  readonly numbers?: DesiredPods
  readonly events: readonly BudgetEvent[]
  readonly error?: unknown
}

function numbersOf(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  expected: BudgetObservation['expected'],
): BudgetNumbers {
  if (!expected) return { numbers: desiredPods(budget, pods.length), events: [] }
  if ('error' in expected) return { error: expected.error, events: [countFailedEvent(budget, expected.error)] }
  const unmanaged = expected.hasUnmanaged ? [unmanagedEvent(budget)] : []
  try {
    return { numbers: desiredPods(budget, expected.count), events: unmanaged }
  } catch (error) {
    return { error, events: [...unmanaged, countFailedEvent(budget, error)] }
  }
}

function warning(about: PodDisruptionBudget | Pod, reason: string, message: string): BudgetEvent {
  return { about, type: 'Warning', reason, message }
}

function countFailedEvent(budget: PodDisruptionBudget, error: unknown): BudgetEvent {
  const message = `Failed to calculate the number of expected pods: ${messageOf(error)}`
  return warning(budget, 'CalculateExpectedPodCountFailed', message)
}

function unmanagedEvent(budget: PodDisruptionBudget): BudgetEvent {
  const message = [
    `Pods selected by this PodDisruptionBudget (selector: ${printedSelector(budget.spec.selector)}) were found to be unmanaged.`,
    'As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior.',
    'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.',
  ]
  return warning(budget, 'UnmanagedPods', message.join(' '))
}

/** Upstream's message has the namespace twice, and not the name. */
function notDeletedEvent(pod: Pod, { metadata: { namespace } }: PodDisruptionBudget): BudgetEvent {
  return warning(pod, 'NotDeleted', `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`)
}

/** A selector in upstream's form for messages. */
export function printedSelector(selector: LabelSelector | undefined): string {
  if (!selector) return 'nil'
  const labels = Object.entries(selector.matchLabels ?? {})
    .sort(([one], [other]) => compareText(one, other))
    .map(([key, value]) => `${key}: ${value},`)
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],}`,
  )
  const list = expressions.map((each) => `${each},`).join('')
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${list}},}`
}
