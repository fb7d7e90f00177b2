import type { Pod } from '../../api/core/v1/pod.js'

/** One cgroup for each QoS class and each pod. */
export interface PodCgroups {
  /** Creates the pod's cgroup and sets its limits if necessary. Returns its path (`linux.cgroupParent`). */
  ensure(pod: Pod): Promise<string>
  /** Kills what still runs in the pod's cgroup, and removes it. Does nothing if it does not exist. */
  remove(podUid: string): Promise<void>
  /** Returns the uids of pods that have a cgroup. */
  known(): Promise<readonly string[]>
}
