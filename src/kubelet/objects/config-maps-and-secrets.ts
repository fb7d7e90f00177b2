import type { ConfigMap } from '../../api/core/v1/config-map.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Secret } from '../../api/core/v1/secret.js'

/**
 * The ConfigMaps and Secrets that pods of this node refer to. A node may read no others. Each one is watched by name while a registered pod
 * needs it; pods share watches.
 */
export interface ConfigMapsAndSecrets {
  /**
   * Watches the objects that a pod refers to in volumes, environment and image pull secrets. Must be called before they are read, and again
   * when the pod has changed. Cheap for an unchanged pod.
   */
  registerPod(pod: Pod): void
  /** Releases the objects of a pod. */
  unregisterPod(podUid: string): void
  /** Returns the current object. Rejects with an `ApiError` `configmap "m" not found` if it does not exist. */
  configMap(namespace: string, name: string, signal?: AbortSignal): Promise<ConfigMap>
  /** Returns the current object. Rejects with an `ApiError` `secret "s" not found` if it does not exist. */
  secret(namespace: string, name: string, signal?: AbortSignal): Promise<Secret>
  /** Calls `listener` with the uids of pods whose objects changed. Returns an unsubscribe function. */
  onChange(listener: (podUids: readonly string[]) => void): () => void
  close(): Promise<void>
}
