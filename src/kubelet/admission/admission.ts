import type { Pod } from '../../api/core/v1/pod.js'
import type { PodFailure, WaitingReason } from '../status/pod-status-input.js'
import { exclusiveCoresRejection } from './exclusive-cores.js'
import { type AdmissionContext, type PodAdmission, rejection } from './pod-admission.js'
import { schedulingRejection } from './scheduling-predicates.js'
import { appArmorObstacle, noNewPrivilegesObstacle } from './start-obstacles.js'
import { sysctlRejection } from './sysctls.js'

/** In upstream's order: the first that refuses is told. */
const rules: readonly ((admission: PodAdmission) => PodFailure | undefined)[] = [
  sysctlRejection,
  exclusiveCoresRejection,
  operatingSystemRejection,
  supplementalGroupsRejection,
  schedulingRejection,
]

/** Why this node refuses the pod, for good; undefined if it does not. Asked once, before anything is done for it. */
export function admit(pod: Pod, others: readonly Pod[], context: AdmissionContext): PodFailure | undefined {
  const admission = { pod, others: others.filter(({ metadata }) => metadata.uid !== pod.metadata.uid), context }
  for (const rule of rules) {
    const failure = rule(admission)
    if (failure) return failure
  }
  return undefined
}

/** What keeps a pod from running for now; undefined if nothing does. Asked with every look at a pod that has not begun. */
export function startObstacle(pod: Pod, context: AdmissionContext): WaitingReason | undefined {
  return appArmorObstacle(pod, context) ?? noNewPrivilegesObstacle(pod, context)
}

const label = 'kubernetes.io/os'
const own = 'linux'

/** A pod says for which system it is by a label or a field: nothing can make up for another one. */
function operatingSystemRejection({ pod: { metadata, spec } }: PodAdmission): PodFailure | undefined {
  const wanted = metadata.labels?.[label]
  if (wanted !== undefined && wanted !== own)
    return rejection(
      'PodOSSelectorNodeLabelDoesNotMatch',
      "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    )
  if (spec.os && spec.os.name !== own)
    return rejection('PodOSNotSupported', "Failed to admit pod as the OS field doesn't match node OS")
  return undefined
}

/** Only some runtimes can leave out the groups that an image gives its user. */
function supplementalGroupsRejection({ pod: { spec }, context: { node } }: PodAdmission): PodFailure | undefined {
  if (spec.securityContext?.supplementalGroupsPolicy !== 'Strict') return undefined
  if (node.status?.features?.supplementalGroupsPolicy) return undefined
  return rejection(
    'SupplementalGroupsPolicyNotSupported',
    'SupplementalGroupsPolicy=Strict is not supported in this node',
  )
}
