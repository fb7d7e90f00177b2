import type { Pod } from '../../api/core/v1/pod.js'
import type { ObservedPod } from '../runtime/observed-pod.js'

/** Asks containers how they are, as long as they run. `pod-prober.ts` makes one. */
export interface Prober extends ProbeResults {
  /**
   * Probes those of the pod's containers that run and have probes, and no others. Called with every look at the pod, before its status
   * is made; cheap. A container that is not ready is asked at once, so that it need not wait for its next turn.
   */
  updatePod(pod: Pod, observed: ObservedPod): void
  /** From now on only what must be asked while a pod ends: readiness, of containers that still run. */
  stopLivenessAndStartup(pod: Pod, observed?: ObservedPod): void
  removePod(podUid: string): void
  close(): void
}

/** Is told that a pod should be looked at again, because a probe's result changed. */
export type ProbeListener = (podUid: string) => void

/** What probes last said of containers, by container id. One without a probe of that kind, or that nobody attends to, counts as well. */
export interface ProbeResults {
  /** False until a probe said otherwise. */
  readiness(containerId: string): boolean | undefined
  /** Undefined while a probe has not said anything yet. */
  startup(containerId: string): boolean | undefined
  /** True until a probe said otherwise. */
  liveness(containerId: string): boolean | undefined
}
