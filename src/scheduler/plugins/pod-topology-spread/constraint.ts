import { fitsNode } from '../../../api/core/v1/affinity/node-affinity.js'
import type { Node } from '../../../api/core/v1/node.js'
import type { PodSpec, TopologySpreadConstraint, UnsatisfiableConstraintAction } from '../../../api/core/v1/pod/spec.js'
import { untoleratedTaint } from '../../../api/core/v1/taint/tolerations.js'
import { LabelSelector } from '../../../api/selectors/label-selector.js'
import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'

/** That pods of a kind are to be spread evenly. Compiled once for a decision. */
export interface SpreadConstraint {
  readonly topologyKey: string
  readonly maxSkew: number
  /** As long as there are fewer domains, the emptiest is taken to have none. */
  readonly minDomains: number
  /** Which pods are of the kind. */
  readonly selector: LabelSelector
  /** Whether the pods of a node count, and it is a place to be at all. */
  readonly includes: (node: Node) => boolean
}

/** Those of one sort: hard ones, or soft ones. @param selector which pods are meant by those that do not say it */
export function compiledConstraints(
  pod: PodInfo,
  constraints: readonly TopologySpreadConstraint[],
  action: UnsatisfiableConstraintAction,
  selector?: LabelSelector,
): readonly SpreadConstraint[] {
  return constraints
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === action)
    .map((constraint) => ({
      topologyKey: constraint.topologyKey,
      maxSkew: constraint.maxSkew,
      minDomains: constraint.minDomains ?? 1,
      selector: selector ?? LabelSelector.from(constraint.labelSelector),
      includes: inclusion(pod.pod.spec, constraint),
    }))
}

const everywhere = () => true

function inclusion(spec: PodSpec, constraint: TopologySpreadConstraint): (node: Node) => boolean {
  const { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' } = constraint
  const isPicky = Boolean(spec.nodeSelector || spec.affinity?.nodeAffinity)
  const looksAtLabels = nodeAffinityPolicy === 'Honor' && isPicky
  const looksAtTaints = nodeTaintsPolicy === 'Honor'
  if (!looksAtLabels && !looksAtTaints) return everywhere
  return (node) =>
    !(looksAtLabels && !fitsNode(spec, node)) &&
    !(looksAtTaints && untoleratedTaint(node.spec?.taints, spec.tolerations, ['NoSchedule', 'NoExecute']))
}

/** Where one of them cannot be told, none of them is: such a node counts nowhere. */
export function hasAllKeys(
  labels: Readonly<Record<string, string>>,
  constraints: readonly SpreadConstraint[],
): boolean {
  for (let i = 0; i < constraints.length; i++) if (labels[constraints[i]!.topologyKey] === undefined) return false
  return true
}

/** Pods that are on their way out do not count. A selector of everything counts nothing: upstream's. */
export function countMatchingPods({ pods }: NodeInfo, { selector }: SpreadConstraint, namespace: string): number {
  if (selector.isEmpty) return 0
  let count = 0
  for (let i = 0; i < pods.length; i++) if (isMatchingPod(pods[i]!, selector, namespace)) count++
  return count
}

export function isMatchingPod(pod: PodInfo, selector: LabelSelector, namespace: string): boolean {
  return pod.namespace === namespace && selector.matches(pod.labels) && !pod.pod.metadata.deletionTimestamp
}
