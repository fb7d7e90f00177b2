import { fitsNode } from '../../../api/core/v1/affinity/node-affinity.js'
import type { Node } from '../../../api/core/v1/node.js'
import type { PodSpec, TopologySpreadConstraint, UnsatisfiableConstraintAction } from '../../../api/core/v1/pod/spec.js'
import { untoleratedTaint } from '../../../api/core/v1/taint/tolerations.js'
import { LabelSelector } from '../../../api/selectors/label-selector.js'
import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'

/** A topology spread constraint of the incoming pod, compiled once for a decision. */
export interface SpreadConstraint {
  readonly topologyKey: string
  readonly maxSkew: number
  /** With fewer domains than this, the global minimum counts as 0. */
  readonly minDomains: number
  /** Selects the pods that are counted. */
  readonly selector: LabelSelector
  /** Whether the node and its pods count, by the inclusion policies of the constraint. */
  readonly includes: (node: Node) => boolean
}

/** The constraints with the given action. @param selector replaces the selectors of the constraints, for default constraints */
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

const includeAll = () => true

function inclusion(spec: PodSpec, constraint: TopologySpreadConstraint): (node: Node) => boolean {
  const { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' } = constraint
  const selectsNodes = Boolean(spec.nodeSelector || spec.affinity?.nodeAffinity)
  const honorsAffinity = nodeAffinityPolicy === 'Honor' && selectsNodes
  const honorsTaints = nodeTaintsPolicy === 'Honor'
  if (!honorsAffinity && !honorsTaints) return includeAll
  return (node) =>
    !(honorsAffinity && !fitsNode(spec, node)) &&
    !(honorsTaints && untoleratedTaint(node.spec?.taints, spec.tolerations, ['NoSchedule', 'NoExecute']))
}

/** A node that lacks the key of any constraint counts for none of them. */
export function hasAllKeys(
  labels: Readonly<Record<string, string>>,
  constraints: readonly SpreadConstraint[],
): boolean {
  for (let i = 0; i < constraints.length; i++) if (labels[constraints[i]!.topologyKey] === undefined) return false
  return true
}

/** An empty selector counts no pods, as upstream's. */
export function countMatchingPods({ pods }: NodeInfo, { selector }: SpreadConstraint, namespace: string): number {
  if (selector.isEmpty) return 0
  let count = 0
  for (let i = 0; i < pods.length; i++) if (isMatchingPod(pods[i]!, selector, namespace)) count++
  return count
}

/** Pods that are being deleted do not count. */
export function isMatchingPod(pod: PodInfo, selector: LabelSelector, namespace: string): boolean {
  return pod.namespace === namespace && selector.matches(pod.labels) && !pod.pod.metadata.deletionTimestamp
}
