import { Pod } from '../../api/core/v1/pod.js'
import { PodDisruptionBudget } from '../../api/policy/v1/pod-disruption-budget.js'
import { type Change, keyOf, type SharedInformers } from '../../client/informers/informer.js'
import { compiledSelector } from '../pods/selectors.js'
import { controller } from '../runtime/builder.js'

/** The budgets that choose what has these labels. One whose selector cannot be read chooses nothing. */
export function* budgetsChoosing(
  informers: SharedInformers,
  namespace: string,
  labels: Readonly<Record<string, string>>,
): Iterable<PodDisruptionBudget> {
  for (const budget of informers.of(PodDisruptionBudget).by('namespace', namespace))
    if (chooses(budget, labels)) yield budget
}

function chooses({ spec }: PodDisruptionBudget, labels: Readonly<Record<string, string>>): boolean {
  try {
    return compiledSelector(spec.selector).matches(labels)
  } catch {
    return false // it says so itself, in its status
  }
}

/** A pod of several budgets cannot be evicted at all, which nobody intends. It is told whenever something happens to such a pod. */
export const overlaps = controller('disruption_overlap')
  .watches(Pod, ({ type, object }: Change<Pod>, informers) =>
    type !== 'deleted' && overlapAround(object, informers) ? [keyOf(object)] : [],
  )
  .watches(PodDisruptionBudget, () => [])
  .workers(1)
  .reconcile(async (key, { informers, events }) => {
    const pod = informers.of(Pod).get(key)
    const chosen = pod && overlapAround(pod, informers)
    if (!chosen) return
    const { namespace, name } = pod.metadata
    const message = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${chosen.metadata.name}" arbitrarily.`
    events.record({ about: pod, type: 'Warning', reason: 'MultiplePodDisruptionBudgets', message })
  })

/** One of the budgets that choose the pod, if there are several. */
function overlapAround({ metadata }: Pod, informers: SharedInformers): PodDisruptionBudget | undefined {
  const [first, second] = budgetsChoosing(informers, metadata.namespace!, metadata.labels ?? {})
  return second && first
}
