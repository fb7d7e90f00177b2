/** Decides which nodes match the node selector and node affinity of a pod. Used by the scheduler, kubelet and controllers. */
import type { Node } from '../node.js'
import type { PodSpec } from '../pod/spec.js'
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from './node-selector.js'

/** Whether a node matches `nodeSelector` and the required node affinity. Preferences do not count. */
export function fitsNode({ nodeSelector = {}, affinity }: PodSpec, node: Node): boolean {
  const { labels = {} } = node.metadata
  for (const key in nodeSelector) if (labels[key] !== nodeSelector[key]) return false
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  return required === undefined || selectsNode(required, node)
}

/** Whether a node matches at least one term. No terms match nothing. */
export function selectsNode({ nodeSelectorTerms }: NodeSelector, node: Node): boolean {
  return nodeSelectorTerms?.some((term) => termSelectsNode(term, node)) ?? false
}

/** Whether a node matches all requirements of a term. An empty term matches nothing. */
export function termSelectsNode({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Node): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false
  const { labels = {}, name } = node.metadata
  return (
    matchExpressions.every((requirement) => holds(requirement, labels[requirement.key])) &&
    matchFields.every((requirement) => holds(requirement, requirement.key === 'metadata.name' ? name : undefined))
  )
}

function holds({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return compared(value, values[0]) > 0
    case 'Lt':
      return compared(value, values[0]) < 0
  }
}

/** Returns NaN, for which every comparison is false, unless both are integers. */
function compared(left: string | undefined, right: string | undefined): number {
  return numberIn(left) - numberIn(right)
}

function numberIn(text: string | undefined): number {
  return text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN
}
