import type { Pod } from '../../api/core/v1/pod.js'

/** A cgroup for each class of service and for each pod, so that they share the host as they were promised. */
export interface PodCgroups {
  /** What the pod's sandbox is put below (`linux.cgroupParent`). Makes it, and sets its limits, where that is still to be done. */
  ensure(pod: Pod): Promise<string>
  /** Ends what still runs in it, and takes it away. Does nothing when it is not there. */
  remove(podUid: string): Promise<void>
  /** The pods that have one. */
  known(): Promise<readonly string[]>
}
