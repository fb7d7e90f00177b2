import type { Node } from '../../api/core/v1/node.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { PodFailure } from '../status/pod-status-input.js'

/** The properties of this node that admission checks use. */
export interface AdmissionContext {
  /** The Node as last seen, with labels, taints and allocatable resources. */
  readonly node: Node
  /** Linux version, as `uname -r` prints it. */
  readonly kernelVersion: string
  /** Unsafe sysctls that pods may set: names, or prefixes with a `*` (`--allowed-unsafe-sysctls`). */
  readonly unsafeSysctls: readonly string[]
  readonly hasAppArmor: boolean
  /** CPUs that can be allocated exclusively. Undefined without the static CPU manager policy. */
  readonly wholeCores?: number
}

/** The input of an admission check. `others` are the admitted pods that have not ended. */
export interface PodAdmission {
  readonly pod: Pod
  readonly others: readonly Pod[]
  readonly context: AdmissionContext
}

export function podRejection(reason: string, message: string): PodFailure {
  return { phase: 'Failed', reason, message, isRejection: true }
}
