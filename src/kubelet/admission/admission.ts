import type { Pod } from '../../api/core/v1/pod.js'
import type { PodFailure, WaitingReason } from '../status/pod-status-input.js'
import { exclusiveCoresRejection } from './exclusive-cores.js'
import { type AdmissionContext, type PodAdmission, podRejection } from './pod-admission.js'
import { schedulingRejection } from './scheduling-predicates.js'
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
