import type { Pod } from '../../api/core/v1/pod.js'

/** The volumes of this node's pods: made before containers start, kept up to date while they run, taken away after them. */
export interface Volumes {
  /**
   * Makes every volume of the pod that one of its containers mounts, or finds it as it was made before. Touches nothing on disk when
   * nothing is to be done: called with every look at the pod, which is also what brings new contents of the downward API in. Contents of
   * ConfigMaps, Secrets and tokens come by themselves. Rejects with a `VolumeError` if one cannot be made; one that was made stays what it
   * is when its contents cannot be renewed.
   */
  ensure(pod: Pod, signal?: AbortSignal): Promise<MountedVolumes>
  /**
   * Unmounts and removes everything of a pod, its folder and all that is in it, also of one of an earlier life of the kubelet. Does nothing
   * when there is nothing.
   */
  remove(podUid: string): Promise<void>
  /** The pods of which anything is on disk. */
  known(): Promise<readonly string[]>
}

/** By the volume's name. */
export type MountedVolumes = ReadonlyMap<string, MountedVolume>

export interface MountedVolume {
  /** Where it is on the host. */
  readonly path: string
  /** Whether no container may write to it, whatever its mount says. */
  readonly isReadOnly: boolean
}

/** Becomes a `FailedMount` event. The message is upstream's: `MountVolume.SetUp failed for volume "v" : configmap "nope" not found`. */
export class VolumeSetupError extends Error {
  override readonly name = 'VolumeError'
  readonly volume: string
  /** Of the same pod and the same attempt: each becomes an event of its own. */
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
