import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { PodFailure, WaitingReason } from '../status/pod-status-input.js'
import { StopProgress } from './kill-container.js'

/**
 * What is remembered of one pod between looks. Nothing of it has to survive the kubelet: it is told again by the API server, or found out
 * again by looking.
 */
export class PodState {
  /** As it is to run. */
  pod: Pod
  /** What the API server has of a static pod. */
  mirror: Pod | undefined
  readonly isStatic: boolean
  /** The last one made. */
  status: PodStatus
  /** What ended the pod as a whole. */
  failure: PodFailure | undefined
  /** Why containers do not run, by name: what the last attempt to start them ended with. */
  readonly waiting = new Map<string, WaitingReason>()
  /** When containers may be tried again that could not be started, by name; milliseconds since the epoch. */
  readonly retryAt = new Map<string, number>()
  /** The last look before the last thing that was done: only later ones have seen what it came to. */
  actedAtGeneration = 0
  /** Seconds; undefined before the pod is to end. */
  gracePeriod: number | undefined
  readonly stopProgress = new StopProgress()
  /** When it was first heard of, by the monotonic clock; undefined once it ran. */
  pendingSince: number | undefined
  /** How often in a row its volumes could not be made. */
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
