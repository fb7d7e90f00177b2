import type { Pod } from '../../api/core/v1/pod.js'
import type { ObservedPod } from '../runtime/observed-pod.js'

/** Probes containers while they run. Implemented by `pod-prober.ts`. */
export interface Prober extends ProbeResults {
  /**
   * Starts and stops probes for the containers of a pod. Called with every sync, before the status is computed. Cheap. An unready container
   * is probed at once.
   */
  updatePod(pod: Pod, observed: ObservedPod): void
  /** Keeps only readiness probes, for a terminating pod. */
  stopLivenessAndStartup(pod: Pod, observed?: ObservedPod): void
  removePod(podUid: string): void
  close(): void
}

/** Called when a probe result changed and the pod must be synced. */
export type ProbeListener = (podUid: string) => void

/** The last probe results by container id. True for a container without such a probe. */
export interface ProbeResults {
  /** False until a probe succeeds. */
  readiness(containerId: string): boolean | undefined
  /** Undefined until a probe has a result. */
  startup(containerId: string): boolean | undefined
  /** True until a probe fails. */
  liveness(containerId: string): boolean | undefined
}
