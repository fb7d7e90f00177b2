import type { Pod } from '../../api/core/v1/pod.js'

/** Pods from manifest files. They run independently of the API server. */
export interface StaticPods {
  /** Resolves when the manifests have been read once. */
  readonly synced: Promise<void>
  /** Returns the pods with name, uid, node and annotations filled in. */
  list(): readonly Pod[]
  onChange(listener: () => void): () => void
  close(): void
}

/** Used without a manifest folder. */
export const noStaticPods: StaticPods = {
  synced: Promise.resolve(),
  list: () => [],
  onChange: () => () => {},
  close: () => {},
}

/** Represents static pods in the API by copies, called mirror pods. */
export interface MirrorPods {
  /** Creates the mirror of a static pod, or replaces an outdated one. */
  ensure(pod: Pod, mirror: Pod | undefined): Promise<void>
  /** Deletes the mirror of a removed static pod. */
  remove(mirror: Pod): Promise<void>
}
