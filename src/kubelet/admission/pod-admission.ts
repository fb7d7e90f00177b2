import type { Node } from '../../api/core/v1/node.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { PodFailure } from '../status/pod-status-input.js'

/** What this node can do for a pod. */
export interface AdmissionContext {
  /** As it was last known: labels, taints, and what there is to give. */
  readonly node: Node
  /** Linux' version, as `uname -r` tells it. */
  readonly kernelVersion: string
  /** Kernel parameters that pods may set though they concern others: names, or beginnings with a `*` (`--allowed-unsafe-sysctls`). */
  readonly unsafeSysctls: readonly string[]
  readonly hasAppArmor: boolean
  /** Cores that can be given away whole; undefined where they are not (`--cpu-manager-policy`). */
  readonly wholeCores?: number
}

/** What each rule looks at. `others` are the pods that were let in and have not ended. */
export interface PodAdmission {
  readonly pod: Pod
  readonly others: readonly Pod[]
  readonly context: AdmissionContext
}

export function rejection(reason: string, message: string): PodFailure {
  return { phase: 'Failed', reason, message, isRejection: true }
}
