import type { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import { PodDisruptionBudget, type PodDisruptionBudgetStatus } from '../../api/policy/v1/pod-disruption-budget.js'
import { isSame } from '../../api/validation/immutability.js'
import { podsMatching } from '../pods/pod-indexes.js'
import { compiledSelector } from '../pods/selectors.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import { budgetStatus, countHealthy, countsScale, failedBudgetStatus, wanted } from './decide.js'
import { disruptedPods } from './disrupted-pods.js'
import { expectedPods } from './expected-pods.js'
import { printedSelector } from './selector-text.js'

export async function reconcileBudget(key: string, context: ReconcileContext): Promise<ReconcileResult | undefined> {
  const budget = context.informers.of(PodDisruptionBudget).get(key)
  if (!budget) return undefined
  try {
    return await bringUpToDate(budget, context)
  } catch (error) {
    if (hasReason(error, 'Conflict')) throw error
    context.environment.log.warn('a budget cannot be kept', { budget: key, error })
    const why = error instanceof Error ? error.message : String(error)
    await writeStatus(budget, failedBudgetStatus(budget, why, context.environment.clock.now()), context)
    return undefined
  }
}

async function bringUpToDate(
  budget: PodDisruptionBudget,
  context: ReconcileContext,
): Promise<ReconcileResult | undefined> {
  const now = context.environment.clock.now()
  const pods = chosenPods(budget, context)
  if (pods.length === 0) tell(budget, context, { type: 'Normal', reason: 'NoPods', message: 'No matching pods found' })
  const numbers = await count(budget, pods, context)
  const disrupted = disruptedPods(budget, pods, now)
  for (const pod of disrupted.overdue) tellNotDeleted(pod, budget, context)
  const healthy = countHealthy(pods, disrupted.pods)
  await writeStatus(budget, budgetStatus(budget, { ...numbers, healthy, disrupted: disrupted.pods }, now), context)
  // A moment later: it is overdue only when its time is over.
  return disrupted.next === undefined ? undefined : { requeueAfter: disrupted.next - now + 1 }
}

function chosenPods(budget: PodDisruptionBudget, context: ReconcileContext): readonly Pod[] {
  try {
    return [...podsMatching(context.informers, budget.metadata.namespace!, compiledSelector(budget.spec.selector))]
  } catch (error) {
    const message = `Failed to get pods: ${error instanceof Error ? error.message : error}`
    tell(budget, context, { type: 'Warning', reason: 'NoPods', message })
    throw error
  }
}

async function count(budget: PodDisruptionBudget, pods: readonly Pod[], context: ReconcileContext) {
  if (!countsScale(budget)) return wanted(budget, pods.length)
  try {
    const { count, hasUnmanaged } = await expectedPods(pods, context)
    if (hasUnmanaged) tellUnmanaged(budget, context)
    return wanted(budget, count)
  } catch (error) {
    const why = error instanceof Error ? error.message : error
    const message = `Failed to calculate the number of expected pods: ${why}`
    tell(budget, context, { type: 'Warning', reason: 'CalculateExpectedPodCountFailed', message })
    throw error
  }
}

async function writeStatus(
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

function tell(
  about: PodDisruptionBudget,
  { events }: ReconcileContext,
  what: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string },
): void {
  events.record({ about, ...what })
}

function tellUnmanaged(budget: PodDisruptionBudget, context: ReconcileContext): void {
  const selector = printedSelector(budget.spec.selector)
  const message = [
    `Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged.`,
    'As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior.',
    'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.',
  ]
  tell(budget, context, { type: 'Warning', reason: 'UnmanagedPods', message: message.join(' ') })
}

/** The namespace stands twice: so it has always been said, and so it is looked for. */
function tellNotDeleted(
  pod: Pod,
  { metadata: { namespace } }: PodDisruptionBudget,
  { events }: ReconcileContext,
): void {
  const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`
  events.record({ about: pod, type: 'Warning', reason: 'NotDeleted', message })
}
