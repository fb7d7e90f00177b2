import { fitsNode } from '../../api/core/v1/affinity/node-affinity.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { untoleratedTaint } from '../../api/core/v1/taint/tolerations.js'
import { isStaticPod } from '../static/pod-source.js'
import type { PodFailure, WaitingReason } from '../status/pod-status-input.js'
import { exclusiveCoresRejection } from './exclusive-cores.js'
import { hasPortConflict } from './host-ports.js'
import { type AdmissionContext, type PodAdmission, podRejection } from './pod-admission.js'
import { resourceRejection } from './resources.js'
import { appArmorObstacle, noNewPrivilegesObstacle } from './start-obstacles.js'
import { sysctlRejection } from './sysctls.js'

/** The checks in upstream's order. The first rejection counts. */
const rules: readonly ((admission: PodAdmission) => PodFailure | undefined)[] = [
  sysctlRejection,
  exclusiveCoresRejection,
  operatingSystemRejection,
  supplementalGroupsRejection,
  schedulingRejection,
]

/** Returns why this node rejects the pod for good, or undefined. Called once, before anything is done for the pod. */
export function admit(pod: Pod, others: readonly Pod[], context: AdmissionContext): PodFailure | undefined {
  const admission = { pod, others: others.filter(({ metadata }) => metadata.uid !== pod.metadata.uid), context }
  for (const rule of rules) {
    const failure = rule(admission)
    if (failure) return failure
  }
  return undefined
}

/** Returns what keeps a pod from running for now, or undefined. Called with every sync of a pod that has not started. */
export function startObstacle(pod: Pod, context: AdmissionContext): WaitingReason | undefined {
  return appArmorObstacle(pod, context) ?? noNewPrivilegesObstacle(pod, context)
}

const label = 'kubernetes.io/os'
const own = 'linux'

/** Rejects pods whose label or field names another operating system. */
function operatingSystemRejection({ pod: { metadata, spec } }: PodAdmission): PodFailure | undefined {
  const wanted = metadata.labels?.[label]
  if (wanted !== undefined && wanted !== own)
    return podRejection(
      'PodOSSelectorNodeLabelDoesNotMatch',
      "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    )
  if (spec.os && spec.os.name !== own)
    return podRejection('PodOSNotSupported', "Failed to admit pod as the OS field doesn't match node OS")
  return undefined
}

/** Rejects the policy `Strict` unless the runtime supports it. */
function supplementalGroupsRejection({ pod: { spec }, context: { node } }: PodAdmission): PodFailure | undefined {
  if (spec.securityContext?.supplementalGroupsPolicy !== 'Strict') return undefined
  if (node.status?.features?.supplementalGroupsPolicy) return undefined
  return podRejection(
    'SupplementalGroupsPolicyNotSupported',
    'SupplementalGroupsPolicy=Strict is not supported in this node',
  )
}

/** The scheduler's predicates, checked again for pods that were not bound by a scheduler. */

function schedulingRejection(admission: PodAdmission): PodFailure | undefined {
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
