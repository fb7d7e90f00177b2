import { Pod } from '../../api/core/v1/pod.js'
import { PodDisruptionBudget } from '../../api/policy/v1/pod-disruption-budget.js'
import { type Change, keyOf, type SharedInformers } from '../../client/informers/informer.js'
import { compiledSelector } from '../pods/selectors.js'
import { controller } from '../runtime/builder.js'

/** The budgets that select these labels. A budget with an invalid selector selects nothing. */
export function* budgetsSelecting(
  informers: SharedInformers,
  namespace: string,
  labels: Readonly<Record<string, string>>,
): Iterable<PodDisruptionBudget> {
  for (const budget of informers.of(PodDisruptionBudget).by('namespace', namespace))
    if (selects(budget, labels)) yield budget
}

function selects({ spec }: PodDisruptionBudget, labels: Readonly<Record<string, string>>): boolean {
  try {
    return compiledSelector(spec.selector).matches(labels)
  } catch {
    return false // the status of the budget reports it
  }
}

interface OverlapObservation {
  readonly pod: Pod
  /** One of several budgets that select the pod. */
  readonly budget: PodDisruptionBudget
}

/** Warns about pods that several budgets select: such a pod can never be evicted. */
export const overlaps = controller('disruption_overlap')
  .watches(Pod, ({ type, object }: Change<Pod>, informers) =>
    type !== 'deleted' && overlappingBudget(object, informers) ? [keyOf(object)] : [],
  )
  .watches(PodDisruptionBudget, () => [])
  .workers(1)
  .reconcile({
    async observe(key, { informers }): Promise<OverlapObservation | undefined> {
      const pod = informers.of(Pod).get(key)
      const budget = pod && overlappingBudget(pod, informers)
      return pod && budget && { pod, budget }
    },
    decide({ pod: { metadata }, budget }) {
      const pod = `Pod "${metadata.namespace}"/"${metadata.name}"`
      return `${pod} matches multiple PodDisruptionBudgets.  Chose "${budget.metadata.name}" arbitrarily.`
    },
    async act(message, { pod: about }, { events }) {
      events.record({ about, type: 'Warning', reason: 'MultiplePodDisruptionBudgets', message })
    },
  })

/** The first budget that selects the pod, if several do. */
function overlappingBudget({ metadata }: Pod, informers: SharedInformers): PodDisruptionBudget | undefined {
  const [first, second] = budgetsSelecting(informers, metadata.namespace!, metadata.labels ?? {})
  return second && first
}
