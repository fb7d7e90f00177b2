import type { Pod } from '../../api/core/v1/pod.js'

/** The volumes of this node's pods: made before containers start, kept up to date while they run, taken away after them. */
export interface Volumes {
  /**
   * Makes every volume of the pod, or finds it as it was made before. Cheap when nothing is to be done: called with every look at the
   * pod, which is also what brings new contents of ConfigMaps, Secrets, the downward API and tokens in. Rejects with a `VolumeError`.
   */
  ensure(pod: Pod, signal?: AbortSignal): Promise<MountedVolumes>
  /** Unmounts and removes everything of a pod, also of one of an earlier life of the kubelet. Does nothing when there is nothing. */
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
export class VolumeError extends Error {
  override readonly name = 'VolumeError'
  readonly volume: string

  constructor(volume: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.volume = volume
  }
}
