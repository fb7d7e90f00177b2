import type { ConfigMap } from '../../api/core/v1/config-map.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Secret } from '../../api/core/v1/secret.js'

/**
 * The ConfigMaps and Secrets that pods of this node refer to, each watched by its name for as long as a pod needs it: a node may read no
 * others. Pods that need the same object share it.
 */
export interface ConfigMapsAndSecrets {
  /**
   * The pod needs what it refers to: in volumes, in environments, to pull images. To be called before anything of it is asked for, and
   * again when the pod has changed; for the same pod again it costs nothing.
   */
  registerPod(pod: Pod): void
  /** The pod needs nothing any more. */
  unregisterPod(podUid: string): void
  /** As it is now. Rejects with an `ApiError` that says `configmap "m" not found` and has that reason, if there is none. */
  configMap(namespace: string, name: string, signal?: AbortSignal): Promise<ConfigMap>
  /** As it is now. Rejects with an `ApiError` that says `secret "s" not found` and has that reason, if there is none. */
  secret(namespace: string, name: string, signal?: AbortSignal): Promise<Secret>
  /** Tells which pods refer to an object that came, changed or went. Returns what ends it. */
  onChange(listener: (podUids: readonly string[]) => void): () => void
  close(): Promise<void>
}
