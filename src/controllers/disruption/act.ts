import { hasReason } from '../../api/errors.js'
import { PodDisruptionBudget, type PodDisruptionBudgetStatus } from '../../api/policy/v1/pod-disruption-budget.js'
import { isSame } from '../../api/validation/immutability.js'
import { keyOf } from '../../client/informers/informer.js'
import { messageOf } from '../runtime/failures.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import { failedBudgetStatus } from './budget-status.js'
import type { BudgetDecision, BudgetObservation } from './decide.js'

export async function act(
  { events, status, error, requeueAfter }: BudgetDecision,
  { budget }: BudgetObservation,
  context: ReconcileContext,
): Promise<ReconcileResult | undefined> {
  for (const event of events) context.events.record(event)
  if (error !== undefined) {
    logFailure(budget, error, context)
    await updateStatus(budget, status, context)
    return undefined
  }
  try {
    await updateStatus(budget, status, context)
  } catch (error) {
    if (hasReason(error, 'Conflict')) throw error
    logFailure(budget, error, context)
    const failed = failedBudgetStatus(budget, messageOf(error), context.environment.clock.now())
    await updateStatus(budget, failed, context)
    return undefined
  }
  return requeueAfter === undefined ? undefined : { requeueAfter }
}

function logFailure(budget: PodDisruptionBudget, error: unknown, { environment }: ReconcileContext): void {
  environment.log.warn('disruption budget sync failed', { budget: keyOf(budget), error })
}

async function updateStatus(
  budget: PodDisruptionBudget,
  status: PodDisruptionBudgetStatus,
  { client }: ReconcileContext,
): Promise<void> {
  if (isSame(status, budget.status)) return
  await client
    .resource(PodDisruptionBudget)
    .subresource('status')
    .update({ ...budget, status })
}
