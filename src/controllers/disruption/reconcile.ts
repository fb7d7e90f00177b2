import type { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import { PodDisruptionBudget, type PodDisruptionBudgetStatus } from '../../api/policy/v1/pod-disruption-budget.js'
import { isSame } from '../../api/validation/immutability.js'
import { podsMatching } from '../pods/matching-pods.js'
import { selectorOf } from '../pods/selectors.js'
import type { Outcome, World } from '../runtime/reconcile.js'
import { countHealthy, countsScale, failedStatus, statusOf, wanted } from './decide.js'
import { disruptedPods } from './disrupted-pods.js'
import { expectedPods } from './expected-pods.js'
import { selectorText } from './selector-text.js'

export async function reconcileBudget(key: string, world: World): Promise<Outcome | undefined> {
  const budget = world.informers.of(PodDisruptionBudget).get(key)
  if (!budget) return undefined
  try {
    return await bringUpToDate(budget, world)
  } catch (error) {
    if (hasReason(error, 'Conflict')) throw error
    world.environment.log.warn('a budget cannot be kept', { budget: key, error })
    const why = error instanceof Error ? error.message : String(error)
    await writeStatus(budget, failedStatus(budget, why, world.environment.clock.now()), world)
    return undefined
  }
}

async function bringUpToDate(budget: PodDisruptionBudget, world: World): Promise<Outcome | undefined> {
  const now = world.environment.clock.now()
  const pods = chosenPods(budget, world)
  if (pods.length === 0) tell(budget, world, { type: 'Normal', reason: 'NoPods', message: 'No matching pods found' })
  const numbers = await count(budget, pods, world)
  const disrupted = disruptedPods(budget, pods, now)
  for (const pod of disrupted.overdue) tellNotDeleted(pod, budget, world)
  const healthy = countHealthy(pods, disrupted.pods)
  await writeStatus(budget, statusOf(budget, { ...numbers, healthy, disrupted: disrupted.pods }, now), world)
  // A moment later: it is overdue only when its time is over.
  return disrupted.next === undefined ? undefined : { after: disrupted.next - now + 1 }
}

function chosenPods(budget: PodDisruptionBudget, world: World): readonly Pod[] {
  try {
    return [...podsMatching(world.informers, budget.metadata.namespace!, selectorOf(budget.spec.selector))]
  } catch (error) {
    const message = `Failed to get pods: ${error instanceof Error ? error.message : error}`
    tell(budget, world, { type: 'Warning', reason: 'NoPods', message })
    throw error
  }
}

async function count(budget: PodDisruptionBudget, pods: readonly Pod[], world: World) {
  if (!countsScale(budget)) return wanted(budget, pods.length)
  try {
    const { count, hasUnmanaged } = await expectedPods(pods, world)
    if (hasUnmanaged) tellUnmanaged(budget, world)
    return wanted(budget, count)
  } catch (error) {
    const why = error instanceof Error ? error.message : error
    const message = `Failed to calculate the number of expected pods: ${why}`
    tell(budget, world, { type: 'Warning', reason: 'CalculateExpectedPodCountFailed', message })
    throw error
  }
}

async function writeStatus(
  budget: PodDisruptionBudget,
  status: PodDisruptionBudgetStatus,
  { client }: World,
): Promise<void> {
  if (isSame(status, budget.status)) return
  await client
    .resource(PodDisruptionBudget)
    .subresource('status')
    .update({ ...budget, status })
}

function tell(
  about: PodDisruptionBudget,
  { events }: World,
  what: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string },
): void {
  events.record({ about, ...what })
}

function tellUnmanaged(budget: PodDisruptionBudget, world: World): void {
  const selector = selectorText(budget.spec.selector)
  const message = [
    `Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged.`,
    'As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior.',
    'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.',
  ]
  tell(budget, world, { type: 'Warning', reason: 'UnmanagedPods', message: message.join(' ') })
}

/** The namespace stands twice: so it has always been said, and so it is looked for. */
function tellNotDeleted(pod: Pod, { metadata: { namespace } }: PodDisruptionBudget, { events }: World): void {
  const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`
  events.record({ about: pod, type: 'Warning', reason: 'NotDeleted', message })
}
