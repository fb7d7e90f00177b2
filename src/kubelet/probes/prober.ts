import type { Pod } from '../../api/core/v1/pod.js'
import type { ObservedPod } from '../runtime/observed-pod.js'
import type { ProbeResults } from './probe-results.js'

/** Asks containers how they are, as long as they run. `pod-prober.ts` makes one. */
export interface Prober extends ProbeResults {
  /**
   * Probes those of the pod's containers that run and have probes, and no others. Called with every look at the pod, before its status
   * is made; cheap. A container that is not ready is asked at once, so that it need not wait for its next turn.
   */
  attend(pod: Pod, observed: ObservedPod): void
  /** From now on only what must be asked while a pod ends: readiness, of containers that still run. */
  attendEnding(pod: Pod, observed?: ObservedPod): void
  forget(podUid: string): void
  close(): void
}

/** Is told that a pod should be looked at again, because a probe's result changed. */
export type ProbeListener = (podUid: string) => void
