import type { Pod } from '../../api/core/v1/pod.js'
import type { PodContainer } from '../pods/pod-containers.js'
import type { ProbeResults } from '../probes/prober.js'
import type { ObservedContainer, ObservedPod } from '../runtime/observed-pod.js'

/** What has to be done with a pod, in this order. */
export interface PodActions {
  /** Everything of it is stopped, its sandbox included. */
  readonly killsPod: boolean
  /** One sandbox is made, of that number; undefined to keep the one there is, or to have none. */
  readonly sandboxAttempt: number | undefined
  /** It had a sandbox before, which is of no use any more. */
  readonly isSandboxChanged: boolean
  readonly kills: readonly Kill[]
  /** Made and never started, or in the way of a new beginning. */
  readonly removals: readonly ObservedContainer[]
  /** Taken away with what they left, so that the pod begins anew in the sandbox that it has; nothing is started in that look. */
  readonly resets: readonly ObservedContainer[]
  /** One after the other. */
  readonly starts: readonly PodContainer[]
}

export interface Kill {
  readonly target: ObservedContainer
  readonly container: PodContainer
  /** As the event says it; undefined for the usual one. */
  readonly message: string | undefined
  /** Probes may have a grace period of their own. */
  readonly reason: KillReason
}

export type KillReason = 'LivenessProbe' | 'StartupProbe' | 'FailedPostStartHook' | 'Other'

export const noActions: PodActions = {
  killsPod: false,
  sandboxAttempt: undefined,
  isSandboxChanged: false,
  kills: [],
  removals: [],
  resets: [],
  starts: [],
}

/** One look at a pod: as it is wanted, as it is, and what its probes say. */
export interface PodObservation {
  readonly pod: Pod
  readonly observed: ObservedPod
  readonly probes: ProbeResults
}
