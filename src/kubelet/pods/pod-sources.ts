import type { Pod } from '../../api/core/v1/pod.js'
import type { Environment } from '../../base/environment.js'
import type { Change, Informer } from '../../client/informers/informer.js'
import type { MirrorPods, StaticPods } from '../static/static-pods.js'
import { asPodOfServer, isMirrorPod } from '../status/static-pod.js'
import { fullName } from './pod-name.js'
import type { PodWorkers } from './pod-workers.js'

export interface PodSourcesParts {
  readonly environment: Environment
  /** Of the pods that are bound to this node. */
  readonly informer: Informer<Pod>
  readonly staticPods: StaticPods
  readonly mirrors: MirrorPods
  readonly workers: PodWorkers
}

/** Where pods come from, the API server and files, and who tells the workers of them. */
export class PodSources {
  readonly #parts: PodSourcesParts
  /** By the name that they share with their static pods. */
  readonly #mirrors = new Map<string, Pod>()
  readonly #staticUids = new Set<string>()
  readonly #ends: (() => void)[] = []
  #isClosed = false
  #isSynced = false
  /** Resolves when both have told all that they have: not before then can a pod be said to be unknown. */
  readonly synced: Promise<void>

  constructor(parts: PodSourcesParts) {
    this.#parts = parts
    this.synced = Promise.all([this.#listenToServer(), this.#listenToFiles()]).then(() => {
      this.#isSynced = true
    })
  }

  get isSynced(): boolean {
    return this.#isSynced
  }

  close(): void {
    this.#isClosed = true
    for (const end of this.#ends) end()
  }

  /** Mirrors of static pods that are not there any more. */
  async removeStrayMirrors(): Promise<void> {
    const { staticPods, workers, mirrors, environment } = this.#parts
    const wanted = new Set(staticPods.list().map(fullName))
    for (const { state } of workers.all()) if (state.isStatic) wanted.add(fullName(state.pod))
    for (const mirror of this.#mirrors.values())
      if (!wanted.has(fullName(mirror)))
        await mirrors.remove(mirror).catch((error: unknown) => {
          environment.log.warn('the mirror of a static pod cannot be removed yet', { error })
        })
  }

  /** The oldest first: who came first is let in first. */
  async #listenToServer(): Promise<void> {
    const { informer } = this.#parts
    await informer.synced
    if (this.#isClosed) return
    for (const pod of [...informer.list()].sort(byAge)) this.#take({ type: 'added', object: pod })
    this.#ends.push(informer.onChange((change) => this.#take(change)))
  }

  async #listenToFiles(): Promise<void> {
    const { staticPods } = this.#parts
    await staticPods.synced
    if (this.#isClosed) return
    this.#takeStatic()
    this.#ends.push(staticPods.onChange(() => this.#takeStatic()))
  }

  #take({ type, object: pod, old }: Change<Pod>): void {
    const { workers } = this.#parts
    // One of the same name may have come in its place.
    if (old && old.metadata.uid !== pod.metadata.uid) workers.drop(old.metadata.uid!)
    if (isMirrorPod(pod)) this.#takeMirror(type, pod)
    else if (type === 'deleted') workers.drop(pod.metadata.uid!)
    else workers.want({ pod: asPodOfServer(pod), isStatic: false })
  }

  #takeMirror(type: Change<Pod>['type'], mirror: Pod): void {
    const name = fullName(mirror)
    if (type === 'deleted') this.#mirrors.delete(name)
    else this.#mirrors.set(name, mirror)
    for (const pod of this.#parts.staticPods.list()) if (fullName(pod) === name) this.#want(pod)
  }

  #takeStatic(): void {
    const { staticPods, workers } = this.#parts
    const pods = staticPods.list()
    const uids = new Set(pods.map(({ metadata }) => metadata.uid!))
    for (const uid of this.#staticUids) if (!uids.has(uid)) workers.drop(uid)
    this.#staticUids.clear()
    for (const uid of uids) this.#staticUids.add(uid)
    for (const pod of pods) this.#want(pod)
  }

  #want(pod: Pod): void {
    if (!this.#staticUids.has(pod.metadata.uid!)) return
    this.#parts.workers.want({ pod, isStatic: true, mirror: this.#mirrors.get(fullName(pod)) })
  }
}

function byAge(one: Pod, other: Pod): number {
  return Date.parse(one.metadata.creationTimestamp ?? '') - Date.parse(other.metadata.creationTimestamp ?? '') || 0
}
