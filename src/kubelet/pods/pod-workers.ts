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
  /** What the API server has of a static pod. */
  readonly mirror?: Pod | undefined
}

/** Whether this node takes the pod, beside those that it has; undefined if it does. */
export type AdmitPod = (pod: Pod, others: readonly Pod[]) => PodFailure | undefined

export interface PodWorkersDependencies
  extends Pick<SyncDependencies, 'environment' | 'events' | 'status' | 'crashLoop' | 'mirrors' | 'metrics'> {
  readonly sync: PodSync
  readonly admit: AdmitPod
  readonly orphans: Orphans
  readonly resyncPeriod: number
}

/** One worker for each pod that this node has, from the moment somebody wants it until nothing of it is left. */
export class PodWorkers {
  readonly #dependencies: PodWorkersDependencies
  readonly #workers = new Map<string, PodWorker>()
  /** Wanted again before they were over: static pods have the same uid for as long as their file says the same. */
  readonly #returning = new Map<string, PodUpdate>()
  /** Resolve when a worker is over. */
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

  /** Somebody wants the pod, as it is here. */
  update(wanted: PodUpdate): void {
    const uid = wanted.pod.metadata.uid!
    const worker = this.#workers.get(uid)
    if (worker?.isGone) this.#returning.set(uid, wanted)
    else if (worker) worker.update(wanted.pod, wanted.mirror)
    else this.#begin(wanted)
  }

  /** Nobody wants the pod any more. */
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

  #begin(wanted: PodUpdate): void {
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
    this.#ends.set(worker, ending())
  }

  /** One that is over, or is to end, is not asked whether it may begin. */
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
    const decision = failure ? `refused: ${failure.reason}` : 'taken'
    tracer.report({ at: clock.now(), took: 0, component: 'kubelet', stage: 'admit', subject, decision })
    if (failure) events.record({ about: pod, type: 'Warning', reason: failure.reason, message: failure.message })
    return failure
  }

  /** A static pod does not begin before those of the same name are over: they would get into each other's way. */
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

  /** The pod is over, and gone from where it came from: so goes what was kept of it. */
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

  /** Unless another static pod of that name has taken it over. */
  async #removeMirror({ state: { pod, mirror } }: PodWorker): Promise<void> {
    const isTaken = this.all().some(({ state }) => state.isStatic && podKey(state.pod) === podKey(pod))
    if (!mirror || isTaken) return
    try {
      await this.#dependencies.mirrors.remove(mirror)
    } catch (error) {
      this.#dependencies.environment.log.warn('the mirror of a static pod cannot be removed yet', { error })
    }
  }
}

function ending(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve }
}

function whenAll(promises: readonly (Promise<void> | undefined)[]): Promise<void> | undefined {
  const there = promises.filter((promise) => promise !== undefined)
  return there.length === 0 ? undefined : Promise.all(there).then(() => {})
}
