import type { Pod } from '../../api/core/v1/pod.js'
import { PodDisruptionBudget } from '../../api/policy/v1/pod-disruption-budget.js'
import type { SharedInformers } from '../../client/informers/informer.js'
import { selectorOf } from '../pods/selectors.js'
import type { World } from '../runtime/reconcile.js'

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
    return selectorOf(spec.selector).matches(labels)
  } catch {
    return false // it says so itself, in its status
  }
}

/** States of pods that were looked at. */
export type Looked = WeakSet<Pod>

/** A pod of several budgets cannot be evicted at all, which nobody intends. */
export function tellOfOverlap(
  pods: readonly Pod[],
  namespace: string,
  { world: { informers, events }, looked }: { readonly world: World; readonly looked: Looked },
): void {
  if (isAlone(informers.of(PodDisruptionBudget).by('namespace', namespace))) return
  for (const pod of pods) {
    if (looked.has(pod)) continue
    looked.add(pod)
    const [first, second] = budgetsChoosing(informers, namespace, pod.metadata.labels ?? {})
    if (!first || !second) continue
    const message = `Pod "${namespace}"/"${pod.metadata.name}" matches multiple PodDisruptionBudgets.  Chose "${first.metadata.name}" arbitrarily.`
    events.record({ about: pod, type: 'Warning', reason: 'MultiplePodDisruptionBudgets', message })
  }
}

function isAlone(budgets: Iterable<PodDisruptionBudget>): boolean {
  const [, second] = budgets
  return second === undefined
}
