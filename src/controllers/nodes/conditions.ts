import type { NodeCondition } from '../../api/core/v1/node/status.js'
import type { Node } from '../../api/core/v1/node.js'

export function nodeCondition({ status }: Node, type: NodeCondition['type']): NodeCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type)
}

export function readyConditionOf(node: Node): NodeCondition | undefined {
  return nodeCondition(node, 'Ready')
}
