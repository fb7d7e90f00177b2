import type { Pod } from '../../api/core/v1/pod.js'
import type { PodFailure } from '../status/pod-status-input.js'
import type { PodSync } from '../sync/pod-sync.js'
import type { SyncDependencies } from '../sync/sync-dependencies.js'
import type { Orphans } from './orphans.js'
import { podKey } from './pod-containers.js'
import { PodWorker } from './pod-worker.js'

export interface PodUpdate {
  readonly pod: Pod
  readonly isStatic: boolean
  /** The mirror pod of a static pod. */
  readonly mirror?: Pod | undefined
}

/** Returns the reason to reject a pod, given the other pods of the node, or undefined to accept it. */
export type AdmitPod = (pod: Pod, others: readonly Pod[]) => PodFailure | undefined

export interface PodWorkersDependencies
  extends Pick<SyncDependencies, 'environment' | 'events' | 'status' | 'crashLoop' | 'mirrors' | 'metrics'> {
  readonly sync: PodSync
  readonly admit: AdmitPod
  readonly orphans: Orphans
  readonly resyncPeriod: number
}

/** Keeps one worker for each pod of this node, from its first update until its cleanup. */
export class PodWorkers {
  readonly #dependencies: PodWorkersDependencies
  readonly #workers = new Map<string, PodWorker>()
  /** Updates for pods that are still being removed. A static pod keeps its uid while its file stays the same. */
  readonly #returning = new Map<string, PodUpdate>()
  /** Resolved when a worker is disposed. */
  readonly #ends = new Map<PodWorker, { readonly promise: Promise<void>; readonly resolve: () => void }>()
  #isClosed = false

  constructor(dependencies: PodWorkersDependencies) {
    this.#dependencies = dependencies
  }

  get(uid: string): PodWorker | undefined {
    return this.#workers.get(uid)
  }

  all(): readonly PodWorker[] {
    return [...this.#workers.values()]
  }

  /** Creates a worker for the pod, or passes the update on to its worker. */
  update(wanted: PodUpdate): void {
    const uid = wanted.pod.metadata.uid!
    const worker = this.#workers.get(uid)
    if (worker?.isGone) this.#returning.set(uid, wanted)
    else if (worker) worker.update(wanted.pod, wanted.mirror)
    else this.#startWorker(wanted)
  }

  /** Terminates a pod that has left its source. */
  remove(uid: string): void {
    this.#returning.delete(uid)
    this.#workers.get(uid)?.remove()
  }

  wake(uid: string): void {
    this.#workers.get(uid)?.wake()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.all().map((worker) => worker.close()))
  }

  #startWorker(wanted: PodUpdate): void {
    if (this.#isClosed) return
    const { environment, sync, metrics, resyncPeriod, orphans } = this.#dependencies
    const { pod } = wanted
    const uid = pod.metadata.uid!
    const failure = this.#admit(pod)
    const after = whenAll([orphans.cleanupOf(uid), ...this.#namesakes(wanted)])
    const onFinished = (worker: PodWorker) => this.#finished(worker)
    const worker = new PodWorker(
      { environment, sync, metrics, resyncPeriod, after, onFinished },
      { ...wanted, failure },
    )
    this.#workers.set(uid, worker)
    this.#ends.set(worker, deferred())
  }

  /** Skips pods that have finished or are being deleted. */
  #admit(pod: Pod): PodFailure | undefined {
    const isOver = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
    if (isOver || pod.metadata.deletionTimestamp !== undefined) return undefined
    const { environment, events, admit } = this.#dependencies
    const others = this.all().filter((worker) => worker.isActive && !worker.state.failure?.isRejection)
    const failure = admit(
      pod,
      others.map(({ state }) => state.pod),
    )
    const { clock, tracer } = environment
    const { namespace = '', name = '', uid = '' } = pod.metadata
    const subject = { kind: 'Pod', namespace, name, uid }
    const decision = failure ? `rejected: ${failure.reason}` : 'admitted'
    tracer.report({ at: clock.now(), took: 0, component: 'kubelet', stage: 'admit', subject, decision })
    if (failure) events.record({ about: pod, type: 'Warning', reason: failure.reason, message: failure.message })
    return failure
  }

  /** Returns the ends of static pods of the same name. A new one must not start before them. */
  #namesakes({ pod, isStatic }: PodUpdate): readonly Promise<void>[] {
    if (!isStatic) return []
    return this.all()
      .filter((worker) => worker.state.isStatic && podKey(worker.state.pod) === podKey(pod))
      .map((worker) => this.#ends.get(worker)!.promise)
  }

  #finished(worker: PodWorker): void {
    const { state } = worker
    if (worker.isGone) this.#dispose(worker)
    else if (state.pod.metadata.deletionTimestamp !== undefined) this.#dependencies.status.finish(state.pod)
  }

  /** Releases everything that is kept for a pod that is finished and has left its source. */
  async #dispose(worker: PodWorker): Promise<void> {
    const { crashLoop, status, orphans } = this.#dependencies
    const { uid } = worker.state
    if (this.#workers.get(uid) !== worker) return
    this.#workers.delete(uid)
    crashLoop.forget(uid)
    await orphans.cleanUp(uid)
    if (worker.state.isStatic) await this.#removeMirror(worker)
    status.forget(uid)
    this.#ends.get(worker)?.resolve()
    this.#ends.delete(worker)
    const again = this.#returning.get(uid)
    this.#returning.delete(uid)
    if (again) this.update(again)
  }

  /** Keeps the mirror pod if another static pod of the same name uses it. */
  async #removeMirror({ state: { pod, mirror } }: PodWorker): Promise<void> {
    const isTaken = this.all().some(({ state }) => state.isStatic && podKey(state.pod) === podKey(pod))
    if (!mirror || isTaken) return
    try {
      await this.#dependencies.mirrors.remove(mirror)
    } catch (error) {
      this.#dependencies.environment.log.warn('mirror pod deletion failed', { error })
    }
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve }
}

function whenAll(promises: readonly (Promise<void> | undefined)[]): Promise<void> | undefined {
  const there = promises.filter((promise) => promise !== undefined)
  return there.length === 0 ? undefined : Promise.all(there).then(() => {})
}
