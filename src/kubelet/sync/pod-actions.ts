import type { Pod } from '../../api/core/v1/pod.js'
import type { PodContainer } from '../pods/pod-containers.js'
import type { ProbeResults } from '../probes/prober.js'
import type { ObservedContainer, ObservedPod } from '../runtime/observed-pod.js'

/** What to do with a pod, in the order of the fields. */
export interface PodSyncActions {
  /** Stop all containers and the sandbox. */
  readonly killsPod: boolean
  /** Create a sandbox with this attempt number. Undefined keeps the present one, or none. */
  readonly sandboxAttempt: number | undefined
  /** True if an earlier sandbox became unusable. */
  readonly isSandboxChanged: boolean
  readonly kills: readonly Kill[]
  /** Containers that were created but never started, or that are in the way of a restart. */
  readonly removals: readonly ObservedContainer[]
  /** Containers to remove so that the whole pod restarts in its present sandbox. Nothing starts in the same sync. */
  readonly resets: readonly ObservedContainer[]
  /** Start these one after the other. */
  readonly starts: readonly PodContainer[]
}

export interface Kill {
  readonly target: ObservedContainer
  readonly container: PodContainer
  /** Message of the event, or undefined for the default. */
  readonly message: string | undefined
  /** Some probes have their own grace period. */
  readonly reason: KillReason
}

export type KillReason = 'LivenessProbe' | 'StartupProbe' | 'FailedPostStartHook' | 'Other'

export const noActions: PodSyncActions = {
  killsPod: false,
  sandboxAttempt: undefined,
  isSandboxChanged: false,
  kills: [],
  removals: [],
  resets: [],
  starts: [],
}

/** The input of a decision: the desired pod, the observed pod and the results of its probes. */
export interface PodObservation {
  readonly pod: Pod
  readonly observed: ObservedPod
  readonly probes: ProbeResults
}
