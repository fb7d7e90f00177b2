import type { PodDisruptionBudget } from '../../../api/policy/v1/pod-disruption-budget.js'
import type { PriorityClass } from '../../../api/scheduling/v1/priority-class.js'
import { labelSelectorText } from '../../../api/selectors/label-selector.js'
import type { Describe } from '../context.js'
import { eventsOf } from '../events.js'
import { pairsText, unsetText } from '../text.js'

export const describePodDisruptionBudget: Describe<PodDisruptionBudget> = async (budget, on) => {
  const { page } = on
  const { metadata, spec, status } = budget
  page.field('Name', metadata.name)
  page.field('Namespace', metadata.namespace)
  if (spec.minAvailable !== undefined) page.field('Min available', spec.minAvailable)
  else if (spec.maxUnavailable !== undefined) page.field('Max unavailable', spec.maxUnavailable)
  page.field('Selector', spec.selector ? labelSelectorText(spec.selector) : unsetText)
  page.line(0, 'Status:')
  page.field('Allowed disruptions', status.disruptionsAllowed ?? 0, 2)
  page.field('Current', status.currentHealthy ?? 0, 2)
  page.field('Desired', status.desiredHealthy ?? 0, 2)
  page.field('Total', status.expectedPods ?? 0, 2)
  await eventsOf(budget, on)
}

export const describePriorityClass: Describe<PriorityClass> = async (priorityClass, on) => {
  const { page } = on
  const { metadata, value, globalDefault = false, preemptionPolicy = '', description = '' } = priorityClass
  page.field('Name', metadata.name)
  page.field('Value', value)
  page.field('GlobalDefault', globalDefault)
  page.field('PreemptionPolicy', preemptionPolicy)
  page.field('Description', description)
  page.field('Annotations', pairsText(metadata.annotations))
  await eventsOf(priorityClass, on)
}
