import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'

/**
 * Writes pod statuses to the API server. It batches changes, never writes an older status after a newer one, skips what is already stored,
 * and retries until it succeeds. No call blocks.
 */
export interface StatusManager {
  /** Returns the last status that was set since the start, or undefined. */
  get(uid: string): PodStatus | undefined
  /** Sets the status of a pod. Called with every sync, so that changes by other writers are corrected. */
  set(pod: Pod, status: PodStatus): void
  /**
   * Writes the final status of a pod that is cleaned up, and deletes the object if it is being deleted. Must be called again if a finished
   * pod is deleted later.
   */
  finish(pod: Pod): void
  /** Drops a pod that no longer exists in the API. */
  forget(uid: string): void
  close(): Promise<void>
}
