import type { NodeCondition } from '../../api/core/v1/node/status.js'
import type { Node } from '../../api/core/v1/node.js'

export function conditionOf({ status }: Node, type: NodeCondition['type']): NodeCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type)
}

export function readyConditionOf(node: Node): NodeCondition | undefined {
  return conditionOf(node, 'Ready')
}
