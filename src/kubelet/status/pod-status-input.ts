import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { ProbeResults } from '../probes/prober.js'
import type { ObservedPod } from '../runtime/observed-pod.js'

/** All that a pod's status follows from: a pure function makes one of the other (`pod-status.ts`). */
export interface PodStatusInput {
  /** As it is to run; of its status, what others wrote there counts. */
  readonly pod: Pod
  readonly observed: ObservedPod
  /** The last status that this kubelet made for the pod; before that, what the API server has. */
  readonly previous: PodStatus
  /** Why a container does not run, by its name: what the last attempt to start it ended with. */
  readonly waiting: ReadonlyMap<string, WaitingReason>
  readonly probes: ProbeResults
  /** What ended or refused the pod as a whole: admission, the active deadline, an eviction. */
  readonly failure: PodFailure | undefined
  /** What keeps the pod from running for now, though it is not refused (`mayRun` of `admission/`). */
  readonly obstacle?: WaitingReason | undefined
  /** Whether the kubelet has ended it for good: nothing of it runs, and nothing will. */
  readonly isTerminated: boolean
  /** Whether its containers are being stopped. */
  readonly isTerminating: boolean
  /** Of the node, the primary one first. */
  readonly hostAddresses: readonly string[]
  /** `containerd`, as the runtime calls itself: containers are named after it. */
  readonly runtimeName: string
  /** Whether the runtime can make what is mounted below a read-only mount read-only as well. */
  readonly mountsRecursivelyReadOnly?: boolean
  readonly now: number
}

/** `ImagePullBackOff` and the like. */
export interface WaitingReason {
  readonly reason: string
  readonly message: string
}

export interface PodFailure {
  readonly phase: 'Failed'
  /** `DeadlineExceeded`, `OutOfcpu`, `NodeAffinity`, `Evicted` … */
  readonly reason: string
  /** As the event says it. The status of a pod that was refused puts `Pod was rejected: ` before it. */
  readonly message: string
  /** The pod was never let in: its status tells that and nothing else. */
  readonly isRejection?: true
}
