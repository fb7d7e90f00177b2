import type { NodeCondition } from '../../api/core/v1/node/status.js'
import type { Node } from '../../api/core/v1/node.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { isSame } from '../../api/validation/immutability.js'
import { podResourceRequests } from '../cache/pod-requests.js'
import type { ComputeResources } from '../cache/resources.js'
import type { EventAction, NodeChange } from './cluster-event.js'

/** What an update of a node changed that can make pods schedulable. Empty for a mere heartbeat. */
export function nodeUpdateActions(old: Node, node: Node): readonly NodeChange[] {
  const actions: NodeChange[] = []
  if (!isSame(old.status?.allocatable, node.status?.allocatable)) actions.push('allocatable')
  if (!isSame(old.metadata.labels, node.metadata.labels)) actions.push('labels')
  if (!isSame(old.metadata.annotations, node.metadata.annotations)) actions.push('annotations')
  if (!isSame(old.spec?.taints, node.spec?.taints)) actions.push('taints')
  if ((old.spec?.unschedulable ?? false) !== (node.spec?.unschedulable ?? false)) actions.push('unschedulable')
  if (!isSame(conditionStatuses(old), conditionStatuses(node))) actions.push('conditions')
  if (!isSame(old.status?.declaredFeatures, node.status?.declaredFeatures)) actions.push('features')
  return actions
}

/** Without the times, which change with every heartbeat. */
function conditionStatuses({ status }: Node): Readonly<Record<string, NodeCondition['status']>> {
  return Object.fromEntries((status?.conditions ?? []).map((condition) => [condition.type, condition.status]))
}

/** What an update of a pod changed that can make it or other pods schedulable. */
export function podUpdateActions(old: Pod, pod: Pod): readonly EventAction[] {
  const actions: EventAction[] = []
  if (!isSame(old.metadata.labels, pod.metadata.labels)) actions.push('pod labels')
  if (!isSame(old.spec.tolerations, pod.spec.tolerations)) actions.push('tolerations')
  if (hasGates(old) && !hasGates(pod)) actions.push('gates removed')
  if (isScaledDown(old, pod)) actions.push('scaled down')
  if (actions.length === 0 && hasOtherChange(old, pod)) actions.push('updated')
  return actions
}

function hasGates({ spec }: Pod): boolean {
  return (spec.schedulingGates?.length ?? 0) > 0
}

function isScaledDown(old: Pod, pod: Pod): boolean {
  const hasSameRequests =
    old.metadata.generation === pod.metadata.generation &&
    isSame(old.status?.containerStatuses, pod.status?.containerStatuses)
  return !hasSameRequests && isAnyLess(podResourceRequests(pod), podResourceRequests(old))
}

function isAnyLess(now: ComputeResources, before: ComputeResources): boolean {
  if (now.milliCpu < before.milliCpu || now.memory < before.memory) return true
  if (now.ephemeralStorage < before.ephemeralStorage) return true
  for (const [name, amount] of before.extended) if ((now.extended.get(name) ?? 0) < amount) return true
  return false
}

/** Without the rest of the status: the scheduler writes it itself. */
function hasOtherChange(old: Pod, pod: Pod): boolean {
  return (
    !isSame(old.spec, pod.spec) ||
    !isSame(old.metadata.annotations, pod.metadata.annotations) ||
    old.metadata.deletionTimestamp !== pod.metadata.deletionTimestamp ||
    !isSame(old.status?.resourceClaimStatuses, pod.status?.resourceClaimStatuses)
  )
}
