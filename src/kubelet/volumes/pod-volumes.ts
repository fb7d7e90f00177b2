import { readdirSync } from 'node:fs'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import type { NodeIdentity } from '../node/node-identity.js'
import type { ConfigMapsAndSecrets } from '../objects/config-maps-and-secrets.js'
import { podFolder, podsFolder } from '../pods/pod-folders.js'
import type { Allocatable } from './downward-api.js'
import type { Mounts } from './mounts.js'
import { PodTokens } from './pod-tokens.js'
import { PodVolumeSet, type PodVolumeSetDependencies } from './pod-volume-set.js'
import { removePodFolder } from './removal.js'
import { isPodFolder } from './volume-paths.js'
import type { MountedVolumes, Volumes } from './volumes.js'

export interface PodVolumesDependencies {
  readonly environment: Environment
  /** Authenticates as the node. Requests tokens. */
  readonly client: Client
  readonly objects: ConfigMapsAndSecrets
  readonly events: EventRecorder
  readonly identity: Pick<NodeIdentity, 'rootFolder'>
  /** Returns the allocatable resources of the Node, empty while they are unknown. */
  readonly allocatable: () => Allocatable
  /** Closed by the caller. */
  readonly mounts: Mounts
}

export interface PodVolumes extends Volumes {
  /** Stops refreshing. The volumes stay. */
  close(): Promise<void>
}

export function podVolumes(dependencies: PodVolumesDependencies): PodVolumes {
  return new VolumesOnDisk(dependencies)
}

class VolumesOnDisk implements PodVolumes {
  readonly #root: string
  readonly #objects: ConfigMapsAndSecrets
  readonly #tokens: PodTokens
  readonly #mounts: Mounts
  readonly #dependencies: PodVolumeSetDependencies
  readonly #volumeSets = new Map<string, PodVolumeSet>()
  readonly #stopListening: () => void

  constructor({ identity, client, ...dependencies }: PodVolumesDependencies) {
    this.#root = identity.rootFolder
    this.#objects = dependencies.objects
    this.#mounts = dependencies.mounts
    this.#tokens = new PodTokens({ client, environment: dependencies.environment })
    this.#dependencies = { ...dependencies, tokens: this.#tokens }
    this.#stopListening = this.#objects.onChange((uids) => {
      for (const uid of uids) this.#volumeSets.get(uid)?.changed()
    })
  }

  ensure(pod: Pod, signal?: AbortSignal): Promise<MountedVolumes> {
    const uid = pod.metadata.uid!
    this.#objects.registerPod(pod)
    let volumeSet = this.#volumeSets.get(uid)
    if (!volumeSet) {
      volumeSet = new PodVolumeSet(this.#dependencies, podFolder(this.#root, uid))
      this.#volumeSets.set(uid, volumeSet)
    }
    return volumeSet.ensure(pod, signal)
  }

  async remove(podUid: string): Promise<void> {
    await this.#volumeSets.get(podUid)?.close()
    await removePodFolder(podFolder(this.#root, podUid), this.#mounts)
    this.#volumeSets.delete(podUid)
    this.#tokens.forget(podUid)
    this.#objects.unregisterPod(podUid)
  }

  /** Reads the folder synchronously: it is small, and a virtual clock stands still for every asynchronous read. */
  async known(): Promise<readonly string[]> {
    try {
      const entries = readdirSync(podsFolder(this.#root), { withFileTypes: true })
      const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
      return names.filter((name) => isPodFolder(podFolder(this.#root, name)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  async close(): Promise<void> {
    this.#stopListening()
    await Promise.all([...this.#volumeSets.values()].map((volumeSet) => volumeSet.close()))
  }
}
