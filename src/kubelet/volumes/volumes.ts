import type { Pod } from '../../api/core/v1/pod.js'

/** The volumes of this node's pods: set up before containers start, refreshed while they run, and removed after them. */
export interface Volumes {
  /**
   * Sets up every volume that a container of the pod mounts. Called with every sync, which also refreshes the downward API; ConfigMaps,
   * Secrets and tokens refresh by themselves. Does not touch the disk if nothing changed. Rejects with a `VolumeSetupError` if a volume
   * cannot be set up. A volume keeps its contents if a refresh fails.
   */
  ensure(pod: Pod, signal?: AbortSignal): Promise<MountedVolumes>
  /** Unmounts and removes the folder of a pod, also one that an earlier kubelet created. Does nothing if there is none. */
  remove(podUid: string): Promise<void>
  /** Returns the uids of pods that have a folder. */
  known(): Promise<readonly string[]>
}

/** By volume name. */
export type MountedVolumes = ReadonlyMap<string, MountedVolume>

export interface MountedVolume {
  /** Path on the host. */
  readonly path: string
  /** Whether containers may only read it, whatever their mounts say. */
  readonly isReadOnly: boolean
}

/** Becomes a `FailedMount` event. The message is upstream's: `MountVolume.SetUp failed for volume "v" : configmap "nope" not found`. */
export class VolumeSetupError extends Error {
  override readonly name = 'VolumeError'
  readonly volume: string
  /** Errors of other volumes in the same attempt. Each becomes an event. */
  readonly others: readonly VolumeSetupError[]

  constructor(
    volume: string,
    message: string,
    options?: ErrorOptions & { readonly others?: readonly VolumeSetupError[] },
  ) {
    super(message, options)
    this.volume = volume
    this.others = options?.others ?? []
  }
}
