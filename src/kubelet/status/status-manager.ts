import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'

/**
 * Brings statuses to the API server: the newest of each pod, changes close together as one, never an old one after a new one,
 * nothing that the server has already. It asks nobody to wait, and tries again until it is done.
 */
export interface StatusManager {
  /** The status that was set last; undefined if none was since the start. */
  get(uid: string): PodStatus | undefined
  /** The pod's status is this from now on. Called with every look at the pod: what others changed meanwhile is put right. */
  set(pod: Pod, status: PodStatus): void
  /**
   * Nothing of the pod is left here: its status is brought up to date, then the object is deleted for good, if it is to go. To be called
   * again when a pod that had ended is to go after all.
   */
  finish(pod: Pod): void
  /** Forgets a pod that is gone from the API server. */
  forget(uid: string): void
  close(): Promise<void>
}
