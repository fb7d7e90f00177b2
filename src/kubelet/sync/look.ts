import type { Pod } from '../../api/core/v1/pod.js'
import type { ProbeResults } from '../probes/probe-results.js'
import type { ObservedPod } from '../runtime/observed-pod.js'

/** One look at a pod: as it is wanted, as it is, and what its probes say. */
export interface Look {
  readonly pod: Pod
  readonly observed: ObservedPod
  readonly probes: ProbeResults
}
