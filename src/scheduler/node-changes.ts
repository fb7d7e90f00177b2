import type { NodeCondition } from '../api/core/v1/node/status.js'
import type { Node } from '../api/core/v1/node.js'
import { isSame } from '../api/validation/immutability.js'
import type { NodeChange } from './framework/cluster-event.js'

/** What an update of a node has changed that could matter to where pods can be. Heartbeats do not. */
export function nodeUpdateActions(old: Node, node: Node): readonly NodeChange[] {
  const changes: NodeChange[] = []
  if (!isSame(old.status?.allocatable, node.status?.allocatable)) changes.push('allocatable')
  if (!isSame(old.metadata.labels, node.metadata.labels)) changes.push('labels')
  if (!isSame(old.metadata.annotations, node.metadata.annotations)) changes.push('annotations')
  if (!isSame(old.spec?.taints, node.spec?.taints)) changes.push('taints')
  if ((old.spec?.unschedulable ?? false) !== (node.spec?.unschedulable ?? false)) changes.push('unschedulable')
  if (!isSame(conditions(old), conditions(node))) changes.push('conditions')
  if (!isSame(old.status?.declaredFeatures, node.status?.declaredFeatures)) changes.push('features')
  return changes
}

function conditions({ status }: Node): Readonly<Record<string, NodeCondition['status']>> {
  return Object.fromEntries((status?.conditions ?? []).map((condition) => [condition.type, condition.status]))
}
