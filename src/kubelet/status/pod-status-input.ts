import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { ProbeResults } from '../probes/prober.js'
import type { ObservedPod } from '../runtime/observed-pod.js'

/** The input from which `podStatus` (`pod-status.ts`) computes a pod's status. */
export interface PodStatusInput {
  /** The desired pod. Its status holds what other components wrote. */
  readonly pod: Pod
  readonly observed: ObservedPod
  /** The last status of this kubelet, or else the stored one. */
  readonly previous: PodStatus
  /** Why containers do not run, by name: the errors of the last attempts to start them. */
  readonly waiting: ReadonlyMap<string, WaitingReason>
  readonly probes: ProbeResults
  /** Why the pod failed as a whole: rejection, active deadline or eviction. */
  readonly failure: PodFailure | undefined
  /** What keeps the pod from running for now (`startObstacle` of `admission/`). */
  readonly obstacle?: WaitingReason | undefined
  /** True if nothing of the pod runs or will run. */
  readonly isTerminated: boolean
  /** True while its containers are being stopped. */
  readonly isTerminating: boolean
  /** Addresses of the node, primary first. */
  readonly hostAddresses: readonly string[]
  /** The runtime's name for itself, such as `containerd`. It is part of container ids. */
  readonly runtimeName: string
  /** Whether the runtime supports recursive read-only mounts. */
  readonly mountsRecursivelyReadOnly?: boolean
  readonly now: number
}

/** A waiting reason such as `ImagePullBackOff`. */
export interface WaitingReason {
  readonly reason: string
  readonly message: string
}

export interface PodFailure {
  readonly phase: 'Failed'
  /** `DeadlineExceeded`, `OutOfcpu`, `NodeAffinity`, `Evicted` … */
  readonly reason: string
  /** The message of the event. The status of a rejected pod adds the prefix `Pod was rejected: `. */
  readonly message: string
  /** True if the pod was never admitted. Its status then holds nothing else. */
  readonly isRejection?: true
}
