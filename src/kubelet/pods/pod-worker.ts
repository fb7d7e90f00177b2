import { isDeepStrictEqual } from 'node:util'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Timer } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { PodFailure } from '../status/pod-status-input.js'
import { podGracePeriod } from '../sync/grace-period.js'
import { PodState } from '../sync/pod-state.js'
import type { PodSync, SyncResult } from '../sync/pod-sync.js'
import { RetryLaterError } from '../sync/retry-later-error.js'
import type { SyncMetrics } from '../sync/sync-metrics.js'
import { formatPod } from './pod-containers.js'

/** The phases of a worker. A worker never goes back to an earlier phase. */
export type WorkerPhase = 'syncing' | 'terminating' | 'terminated' | 'finished'

export interface PodWorkerDependencies {
  readonly environment: Environment
  readonly sync: PodSync
  readonly metrics: SyncMetrics
  /** Milliseconds between two syncs of a pod to which nothing happened. */
  readonly resyncPeriod: number
  /** The worker starts when this resolves. */
  readonly after?: Promise<void> | undefined
  /** Called when the worker is finished, and on every update after that. */
  readonly onFinished: (worker: PodWorker) => void
}

export interface PodWorkerOptions {
  readonly pod: Pod
  readonly isStatic: boolean
  readonly mirror?: Pod | undefined
  /** Set if the pod was rejected on admission. */
  readonly failure?: PodFailure | undefined
}

/** Random share by which each delay is lengthened, so that pods do not sync at the same moment. */
const jitter = 0.5

/** The names that upstream's metrics give to the work in each phase. */
const operations: Readonly<Record<WorkerPhase, string>> = {
  syncing: 'sync',
  terminating: 'kill',
  terminated: 'terminated',
  finished: 'terminated',
}

/** Milliseconds before a failed sync is retried. */
const retryDelay = 10_000

/** Returns whether a user or a controller changed the pod. Changes that the kubelet wrote itself do not count. */
function hasDesiredStateChanged(before: Pod, after: Pod): boolean {
  if (before === after) return false
  if ((after.spec.readinessGates ?? []).length > 0) return true
  return !isDeepStrictEqual(desiredState(before), desiredState(after))
}

function desiredState({ metadata, spec }: Pod): object {
  const { resourceVersion: _, managedFields: __, ...rest } = metadata
  return { rest, spec }
}

/** Aborts the current work because the pod must terminate now, or sooner than before. */
class InterruptedError extends Error {
  override readonly name = 'Overtaken'
}

/**
 * Runs one pod from its arrival to its end, one operation at a time, each on the newest pod and observation. However often it is woken
 * while it works, it runs once more afterwards.
 */
export class PodWorker {
  readonly state: PodState
  readonly #dependencies: PodWorkerDependencies
  #phase: WorkerPhase = 'syncing'
  #isDirty = false
  /** True while it waits for `after`. */
  #isWaiting = false
  #isClosed = false
  /** True once the pod has left its source. */
  #isGone = false
  #timer: Timer | undefined
  #work: Promise<void> | undefined
  /** Aborts the current operation. */
  #current: AbortController | undefined

  constructor(dependencies: PodWorkerDependencies, { pod, failure, ...options }: PodWorkerOptions) {
    this.#dependencies = dependencies
    this.state = new PodState(pod, options)
    this.state.failure = failure
    if (pod.status?.phase !== 'Running') this.state.pendingSince = dependencies.environment.clock.monotonic()
    this.#setPod(pod)
    this.#begin(dependencies.after)
  }

  get phase(): WorkerPhase {
    return this.#phase
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** Whether the pod uses resources of the node, or may still do so. */
  get isActive(): boolean {
    return this.#phase === 'syncing' || this.#phase === 'terminating'
  }

  /** Takes over a new version of the pod. */
  update(pod: Pod, mirror?: Pod): void {
    const { pod: before, mirror: mirrorBefore } = this.state
    this.state.mirror = mirror
    this.#setPod(pod)
    const isSame = mirrorBefore?.metadata.uid === mirror?.metadata.uid && !hasDesiredStateChanged(before, pod)
    if (isSame && this.#phase === 'syncing') return
    if (before.metadata.generation !== pod.metadata.generation) this.state.retryAt.clear()
    this.#wakeOrNotify()
  }

  /** Terminates the pod because it has left its source. */
  remove(): void {
    this.#isGone = true
    this.#beginTermination()
    this.#wakeOrNotify()
  }

  wake(): void {
    this.#isDirty = true
    if (this.#isWaiting || this.#isClosed || this.#work || this.#phase === 'finished') return
    this.#work = this.#run().finally(() => {
      this.#work = undefined
      if (this.#isDirty) this.wake() // a wake-up at the very end was not handled
    })
  }

  /** Starts no more work. Containers keep running. Resolves when no operation is in progress. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer?.cancel()
    this.#current?.abort(new InterruptedError('the kubelet is shutting down'))
    await this.#work
  }

  #wakeOrNotify(): void {
    if (this.#phase === 'finished') this.#dependencies.onFinished(this)
    else this.wake()
  }

  async #begin(after: Promise<void> | undefined): Promise<void> {
    this.#isWaiting = after !== undefined
    if (after) await after
    this.#isWaiting = false
    this.wake()
  }

  #setPod(pod: Pod): void {
    this.state.pod = pod
    const isOver = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
    if (pod.metadata.deletionTimestamp !== undefined || (isOver && !this.state.isStatic)) this.#beginTermination()
  }

  /** Begins to terminate the pod, or shortens its grace period. */
  #beginTermination(wanted?: number): void {
    const { state } = this
    const former = state.gracePeriod
    state.gracePeriod = podGracePeriod(state.pod, former, wanted)
    const isHastened = this.#phase === 'terminating' && former !== undefined && state.gracePeriod < former
    if (this.#phase === 'syncing') this.#phase = 'terminating'
    else if (!isHastened) return
    this.#current?.abort(new InterruptedError('the pod must terminate'))
  }

  async #run(): Promise<void> {
    while (this.#isDirty && !this.#isClosed && this.#phase !== 'finished') {
      this.#isDirty = false
      this.#timer?.cancel()
      await this.#runOnce()
    }
  }

  async #runOnce(): Promise<void> {
    const current = new AbortController()
    this.#current = current
    const phase = this.#phase
    const { clock } = this.#dependencies.environment
    const began = clock.monotonic()
    try {
      await this.#runPhase(phase, current.signal)
    } catch (error) {
      if (error instanceof InterruptedError || current.signal.aborted) this.#isDirty = true
      else this.#retry(error)
    } finally {
      this.#current = undefined
      this.#dependencies.metrics.workerFinished(operations[phase], clock.monotonic() - began)
    }
  }

  async #runPhase(phase: WorkerPhase, signal: AbortSignal): Promise<void> {
    const { sync } = this.#dependencies
    switch (phase) {
      case 'syncing':
        return this.#afterSync(await sync.sync(this.state, signal))
      case 'terminating':
        await sync.terminate(this.state, signal)
        this.#phase = 'terminated'
        this.#isDirty = true
        return
      case 'terminated':
        await sync.finish(this.state)
        this.#phase = 'finished'
        return this.#dependencies.onFinished(this)
      case 'finished':
        return
    }
  }

  #afterSync({ isFinished: isOver, hasFailed, resyncAt: lookAgainAt }: SyncResult): void {
    if (isOver) {
      this.#beginTermination()
      this.#isDirty = true
      return
    }
    const { clock } = this.#dependencies.environment
    const usual = this.#jittered(hasFailed ? retryDelay : this.#dependencies.resyncPeriod)
    this.#wakeAfter(lookAgainAt === undefined ? usual : Math.min(usual, lookAgainAt - clock.now()))
  }

  #retry(error: unknown): void {
    const { log } = this.#dependencies.environment
    if (error instanceof RetryLaterError) log.debug('pod sync postponed', { pod: formatPod(this.state.pod), error })
    else log.error('pod sync failed', { pod: formatPod(this.state.pod), phase: this.#phase, error })
    this.#wakeAfter(error instanceof RetryLaterError ? error.delay : this.#jittered(retryDelay))
  }

  #wakeAfter(delay: number): void {
    if (this.#isDirty || this.#isClosed) return
    this.#timer = this.#dependencies.environment.clock.timer(Math.max(delay, 0), () => this.wake())
  }

  #jittered(delay: number): number {
    return delay * (1 + jitter * this.#dependencies.environment.random.float())
  }
}
