import type { Pod } from '../../api/core/v1/pod.js'
import type { Environment } from '../../base/environment.js'
import type { Change, Informer } from '../../client/informers/informer.js'
import { asApiServerPod, isMirrorPod } from '../static/pod-source.js'
import type { MirrorPods, StaticPods } from '../static/static-pods.js'
import { podKey } from './pod-containers.js'
import type { PodWorkers } from './pod-workers.js'

export interface PodSourcesDependencies {
  readonly environment: Environment
  /** Holds the pods that are bound to this node. */
  readonly informer: Informer<Pod>
  readonly staticPods: StaticPods
  readonly mirrors: MirrorPods
  readonly workers: PodWorkers
}

/** Reads pods from the API server and from files, and passes them to the workers. */
export class PodSources {
  readonly #dependencies: PodSourcesDependencies
  /** Mirror pods by the key that they share with their static pods. */
  readonly #mirrors = new Map<string, Pod>()
  readonly #staticUids = new Set<string>()
  readonly #unsubscribers: (() => void)[] = []
  #isClosed = false
  /** Resolves when both sources are listed. Before that, no pod is known to be orphaned. */
  readonly synced: Promise<void>

  constructor(dependencies: PodSourcesDependencies) {
    this.#dependencies = dependencies
    this.synced = Promise.all([this.#watchServer(), this.#watchFiles()]).then(() => {})
  }

  close(): void {
    this.#isClosed = true
    for (const end of this.#unsubscribers) end()
  }

  /** Deletes mirror pods whose static pods no longer exist. */
  async removeStrayMirrors(): Promise<void> {
    const { staticPods, workers, mirrors, environment } = this.#dependencies
    const wanted = new Set(staticPods.list().map(podKey))
    for (const { state } of workers.all()) if (state.isStatic) wanted.add(podKey(state.pod))
    for (const mirror of this.#mirrors.values())
      if (!wanted.has(podKey(mirror)))
        await mirrors.remove(mirror).catch((error: unknown) => {
          environment.log.warn('mirror pod deletion failed', { error })
        })
  }

  /** Passes the oldest pods first, so that they are admitted first. */
  async #watchServer(): Promise<void> {
    const { informer } = this.#dependencies
    await informer.synced
    if (this.#isClosed) return
    for (const pod of [...informer.list()].sort(byAge)) this.#handleChange({ type: 'added', object: pod })
    this.#unsubscribers.push(informer.onChange((change) => this.#handleChange(change)))
  }

  async #watchFiles(): Promise<void> {
    const { staticPods } = this.#dependencies
    await staticPods.synced
    if (this.#isClosed) return
    this.#updateStaticPods()
    this.#unsubscribers.push(staticPods.onChange(() => this.#updateStaticPods()))
  }

  #handleChange({ type, object: pod, old }: Change<Pod>): void {
    const { workers } = this.#dependencies
    // A pod of the same name may have replaced it.
    if (old && old.metadata.uid !== pod.metadata.uid) workers.remove(old.metadata.uid!)
    if (isMirrorPod(pod)) this.#updateMirror(type, pod)
    else if (type === 'deleted') workers.remove(pod.metadata.uid!)
    else workers.update({ pod: asApiServerPod(pod), isStatic: false })
  }

  #updateMirror(type: Change<Pod>['type'], mirror: Pod): void {
    const name = podKey(mirror)
    if (type === 'deleted') this.#mirrors.delete(name)
    else this.#mirrors.set(name, mirror)
    for (const pod of this.#dependencies.staticPods.list()) if (podKey(pod) === name) this.#updateStaticPod(pod)
  }

  #updateStaticPods(): void {
    const { staticPods, workers } = this.#dependencies
    const pods = staticPods.list()
    const uids = new Set(pods.map(({ metadata }) => metadata.uid!))
    for (const uid of this.#staticUids) if (!uids.has(uid)) workers.remove(uid)
    this.#staticUids.clear()
    for (const uid of uids) this.#staticUids.add(uid)
    for (const pod of pods) this.#updateStaticPod(pod)
  }

  #updateStaticPod(pod: Pod): void {
    if (!this.#staticUids.has(pod.metadata.uid!)) return
    this.#dependencies.workers.update({ pod, isStatic: true, mirror: this.#mirrors.get(podKey(pod)) })
  }
}

function byAge(one: Pod, other: Pod): number {
  return Date.parse(one.metadata.creationTimestamp ?? '') - Date.parse(other.metadata.creationTimestamp ?? '') || 0
}
