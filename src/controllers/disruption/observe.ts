import type { Pod } from '../../api/core/v1/pod.js'
import { PodDisruptionBudget } from '../../api/policy/v1/pod-disruption-budget.js'
import { podsMatching } from '../pods/pod-indexes.js'
import { compiledSelector } from '../pods/selectors.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { countsScale } from './budget-status.js'
import type { BudgetObservation } from './decide.js'
import { type ExpectedPods, expectedPods } from './expected-pods.js'

/** Errors are part of the observation: the status and events report them. */
export async function observe(key: string, context: ReconcileContext): Promise<BudgetObservation | undefined> {
  const budget = context.informers.of(PodDisruptionBudget).get(key)
  if (!budget) return undefined
  const now = context.environment.clock.now()
  const pods = selectedPods(budget, context)
  if (!('found' in pods)) return { budget, now, pods }
  return { budget, now, pods, ...(countsScale(budget) && { expected: await expectedCount(pods.found, context) }) }
}

function selectedPods(
  { metadata, spec }: PodDisruptionBudget,
  { informers }: ReconcileContext,
): BudgetObservation['pods'] {
  try {
    return { found: [...podsMatching(informers, metadata.namespace!, compiledSelector(spec.selector))] }
  } catch (error) {
    return { error }
  }
}

async function expectedCount(
  pods: readonly Pod[],
  context: ReconcileContext,
): Promise<ExpectedPods | { readonly error: unknown }> {
  try {
    return await expectedPods(pods, context)
  } catch (error) {
    return { error }
  }
}
