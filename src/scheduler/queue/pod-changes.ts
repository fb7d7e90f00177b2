import type { Pod } from '../../api/core/v1/pod.js'
import { isSame } from '../../api/validation/immutability.js'
import { podResourceRequests } from '../cache/pod-requests.js'
import type { ResourceAmounts } from '../cache/resources.js'
import type { EventAction } from '../framework/cluster-event.js'

/** What an update of a pod has changed, as far as it could matter to where pods can be. */
export function podUpdateActions(old: Pod, pod: Pod): readonly EventAction[] {
  const actions: EventAction[] = []
  if (!isSame(old.metadata.labels, pod.metadata.labels)) actions.push('pod labels')
  if (!isSame(old.spec.tolerations, pod.spec.tolerations)) actions.push('tolerations')
  if (hasGates(old) && !hasGates(pod)) actions.push('gates removed')
  if (asksForLess(old, pod)) actions.push('scaled down')
  if (actions.length === 0 && hasOtherChange(old, pod)) actions.push('updated')
  return actions
}

function hasGates({ spec }: Pod): boolean {
  return (spec.schedulingGates?.length ?? 0) > 0
}

function asksForLess(old: Pod, pod: Pod): boolean {
  const isUntouched =
    old.metadata.generation === pod.metadata.generation &&
    isSame(old.status?.containerStatuses, pod.status?.containerStatuses)
  return !isUntouched && isAnyLess(podResourceRequests(pod), podResourceRequests(old))
}

function isAnyLess(now: ResourceAmounts, before: ResourceAmounts): boolean {
  if (now.milliCpu < before.milliCpu || now.memory < before.memory) return true
  if (now.ephemeralStorage < before.ephemeralStorage) return true
  for (const [name, amount] of before.extended) if ((now.extended.get(name) ?? 0) < amount) return true
  return false
}

/** What the scheduler itself writes, the status, is no news to it. */
function hasOtherChange(old: Pod, pod: Pod): boolean {
  return (
    !isSame(old.spec, pod.spec) ||
    !isSame(old.metadata.annotations, pod.metadata.annotations) ||
    old.metadata.deletionTimestamp !== pod.metadata.deletionTimestamp ||
    !isSame(old.status?.resourceClaimStatuses, pod.status?.resourceClaimStatuses)
  )
}
