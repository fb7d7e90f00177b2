/** The scheduler's predicates, checked again for pods that were not bound by a scheduler. */
import { fitsNode } from '../../api/core/v1/affinity/node-affinity.js'
import { untoleratedTaint } from '../../api/core/v1/taint/tolerations.js'
import { isStaticPod } from '../static/pod-source.js'
import type { PodFailure } from '../status/pod-status-input.js'
import { hasPortConflict } from './host-ports.js'
import { type PodAdmission, podRejection } from './pod-admission.js'
import { resourceRejection } from './resources.js'

export function schedulingRejection(admission: PodAdmission): PodFailure | undefined {
  const { pod, others, context: on } = admission
  const { node } = on
  const missing = resourceRejection(admission)
  if (missing) return missing
  const hasBegun = pod.status?.startTime !== undefined
  if (!hasBegun && !fitsNode(pod.spec, node))
    return predicateFailure('NodeAffinity', "node(s) didn't match Pod's node affinity/selector")
  if (pod.spec.nodeName !== undefined && pod.spec.nodeName !== node.metadata.name)
    return predicateFailure('NodeName', "node(s) didn't match the requested node name")
  if (hasPortConflict(pod.spec, others))
    return predicateFailure('NodePorts', "node(s) didn't have free ports for the requested pod ports")
  if (!hasBegun && !isStaticPod(pod) && untoleratedTaint(node.spec?.taints, pod.spec.tolerations, ['NoExecute']))
    return predicateFailure('TaintToleration', "node(s) had taints that the pod didn't tolerate")
  return undefined
}

function predicateFailure(rule: string, why: string): PodFailure {
  return podRejection(rule, `Predicate ${rule} failed: ${why}`)
}
