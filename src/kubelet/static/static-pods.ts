import type { Pod } from '../../api/core/v1/pod.js'

/** Pods from files in a folder, which run whatever the API server says. */
export interface StaticPods {
  /** Resolves when the folder was read once. */
  readonly synced: Promise<void>
  /** As they are to run: with name, uid, node and annotations filled in. */
  list(): readonly Pod[]
  onChange(listener: () => void): () => void
  close(): void
}

/** Where there is no folder for them. */
export const noStaticPods: StaticPods = {
  synced: Promise.resolve(),
  list: () => [],
  onChange: () => () => {},
  close: () => {},
}

/** Shows static pods to the API server: a copy of each that everybody can see, and nobody needs. */
export interface MirrorPods {
  /** Makes the mirror of a static pod, or makes it anew when it is not the right one. */
  ensure(pod: Pod, mirror: Pod | undefined): Promise<void>
  /** Takes a mirror away whose static pod is gone. */
  remove(mirror: Pod): Promise<void>
}
