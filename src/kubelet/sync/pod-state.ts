import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { PodFailure, WaitingReason } from '../status/pod-status-input.js'
import { StopProgress } from './kill-container.js'

/** What is kept of one pod between two syncs. A restarted kubelet can read or observe all of it again. */
export class PodState {
  /** The desired pod. */
  pod: Pod
  /** The mirror pod of a static pod. */
  mirror: Pod | undefined
  readonly isStatic: boolean
  /** The last status that was computed. */
  status: PodStatus
  /** Why the pod failed as a whole. */
  failure: PodFailure | undefined
  /** Why containers do not run, by name: the errors of the last attempts to start them. */
  readonly waiting = new Map<string, WaitingReason>()
  /** When containers that failed to start may be tried again, by name, in milliseconds since the epoch. */
  readonly retryAt = new Map<string, number>()
  /** Observation number at the last action. Only later observations show its result. */
  actedAtGeneration = 0
  /** Seconds. Undefined before the pod terminates. */
  gracePeriod: number | undefined
  readonly stopProgress = new StopProgress()
  /** When the pod arrived, on the monotonic clock. Undefined once it has run. */
  pendingSince: number | undefined
  /** Number of consecutive failures to set up volumes. */
  volumeFailures = 0

  constructor(pod: Pod, { isStatic, mirror }: { readonly isStatic: boolean; readonly mirror?: Pod | undefined }) {
    this.pod = pod
    this.isStatic = isStatic
    this.mirror = mirror
    this.status = (isStatic ? mirror?.status : pod.status) ?? {}
  }

  get uid(): string {
    return this.pod.metadata.uid!
  }
}
