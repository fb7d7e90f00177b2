import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { CpuAdmissionError } from '../cpus/cpu-manager.js'
import { garbageOf, removeGarbage } from '../runtime/garbage.js'
import type { ObservedPod } from '../runtime/observed-pod.js'
import type { PodFailure } from '../status/pod-status-input.js'
import { ActionExecutor, type PodActResult } from './act.js'
import { decide } from './decide.js'
import { killPod, mayBeRunning } from './kill-pod.js'
import { NetworkCheck } from './network-check.js'
import type { PodSyncActions } from './pod-actions.js'
import type { PodState } from './pod-state.js'
import { updateStatus } from './status-update.js'
import type { SyncDependencies } from './sync-dependencies.js'
import { traceStage } from './trace-stage.js'

/** The result of one sync of a pod. */
export interface SyncResult extends PodActResult {
  /** True if the pod must terminate. */
  readonly isFinished: boolean
}

interface ActInput {
  readonly observed: ObservedPod
  readonly actions: PodSyncActions
  readonly signal: AbortSignal
}

const unchanged: SyncResult = { isFinished: false, hasFailed: false, resyncAt: undefined }

/**
 * The three operations on a pod: sync it to its specification, terminate it, and clean it up. Each one starts with a new observation,
 * relies on nothing else, and can be repeated.
 */
export class PodSync {
  readonly #dependencies: SyncDependencies
  readonly #network: NetworkCheck

  constructor(dependencies: SyncDependencies) {
    this.#dependencies = dependencies
    this.#network = new NetworkCheck(dependencies.runtime, dependencies.environment.clock)
  }

  async sync(state: PodState, signal: AbortSignal): Promise<SyncResult> {
    const { view, prober } = this.#dependencies
    const { pod } = state
    const observed = await view.observedAfter(state.actedAtGeneration, state.uid)
    signal.throwIfAborted()
    prober.updatePod(pod, observed)
    const status = this.#updateStatus(state, observed)
    if (this.#exceedsDeadline(state) || isFinal(status)) return { ...unchanged, isFinished: true }
    if (state.isStatic) await this.#ensureMirror(state)
    if (this.#dependencies.obstacle(pod)) return this.#stopBlocked(state, observed, signal)
    if (!(await this.#allocateCpus(state))) return { ...unchanged, isFinished: true }
    const actions = decide({ pod, observed, probes: prober })
    if (actions.killsPod && actions.sandboxAttempt === undefined) return { ...unchanged, isFinished: true }
    return this.#act(state, { observed, actions, signal })
  }

  /** Stops all containers. Resolves when none runs. */
  async terminate(state: PodState, signal: AbortSignal): Promise<void> {
    const { view, prober, environment } = this.#dependencies
    const { pod, uid, gracePeriod, stopProgress: progress } = state
    const observed = await view.observedAfter(state.actedAtGeneration, uid)
    prober.stopLivenessAndStartup(pod, observed)
    updateStatus(this.#dependencies, state, observed, { isTerminating: true })
    const describe = () => `${observed.containers.filter(mayBeRunning).length} stopped`
    try {
      await traceStage(environment, { name: 'terminate', pod, describe }, () =>
        killPod(this.#dependencies, pod, observed, {
          progress,
          signal,
          ...(gracePeriod !== undefined && { gracePeriod }),
        }),
      )
    } catch (error) {
      if (!signal.aborted) this.#warn(pod, 'FailedKillPod', `error killing pod: ${(error as Error).message}`)
      throw error
    } finally {
      state.actedAtGeneration = view.generation
    }
    const after = await view.observedAfter(state.actedAtGeneration, uid)
    if (after.containers.some(mayBeRunning)) throw new Error('a container of the pod is still running')
    await this.#dependencies.cpus?.release(uid)
    prober.removePod(uid)
    updateStatus(this.#dependencies, state, after, { isTerminating: true, isTerminated: true })
  }

  /** Removes volumes, cgroups and garbage of a terminated pod, then finishes its status. Exited containers stay, for their logs. */
  async finish(state: PodState): Promise<void> {
    const { view, volumes, cgroups, status, environment, runtime } = this.#dependencies
    const { pod, uid } = state
    const observed = await view.observedAfter(state.actedAtGeneration, uid)
    updateStatus(this.#dependencies, state, observed, { isTerminating: true, isTerminated: true })
    await traceStage(environment, { name: 'remove volumes', pod }, () => volumes.remove(uid))
    await traceStage(environment, { name: 'remove cgroups', pod }, () => cgroups.remove(uid))
    await removeGarbage(runtime, garbageOf(observed))
    status.finish(pod)
  }

  async #act(state: PodState, input: ActInput): Promise<SyncResult> {
    const act = () => new ActionExecutor(this.#dependencies, this.#network, { state, ...input }).run()
    if (isEmpty(input.actions)) {
      const result = await act()
      await removeGarbage(this.#dependencies.runtime, garbageOf(input.observed))
      return { ...result, isFinished: false, resyncAt: this.#nextSync(state, result) }
    }
    const [acted] = await Promise.allSettled([act()])
    await this.#observeAfterActing(state, input.signal)
    if (acted.status === 'rejected') throw acted.reason
    return { ...acted.value, isFinished: false, resyncAt: this.#nextSync(state, acted.value) }
  }

  /** Observes the pod again after actions: earlier observations are outdated. */
  async #observeAfterActing(state: PodState, signal: AbortSignal): Promise<void> {
    const { view, prober, runtime } = this.#dependencies
    state.actedAtGeneration = view.generation
    const after = await view.refresh(state.uid)
    if (signal.aborted) return
    prober.updatePod(state.pod, after)
    this.#updateStatus(state, after)
    await removeGarbage(runtime, garbageOf(after))
  }

  /** Updates the status, and records the start duration when the pod runs for the first time. */
  #updateStatus(state: PodState, observed: ObservedPod): PodStatus {
    const status = updateStatus(this.#dependencies, state, observed)
    if (state.pendingSince !== undefined && status.phase === 'Running') {
      this.#dependencies.metrics.podStarted(this.#dependencies.environment.clock.monotonic() - state.pendingSince)
      state.pendingSince = undefined
    }
    return status
  }

  #nextSync({ pod, status }: PodState, { resyncAt: lookAgainAt }: PodActResult): number | undefined {
    const times = [lookAgainAt, deadlineOf(pod, status)].filter((time) => time !== undefined)
    return times.length === 0 ? undefined : Math.min(...times)
  }

  #exceedsDeadline(state: PodState): boolean {
    if (state.failure) return true
    const deadline = deadlineOf(state.pod, state.status)
    if (deadline === undefined || this.#dependencies.environment.clock.now() < deadline) return false
    const { reason, message } = deadlineExceeded
    this.#dependencies.events.record({ about: state.pod, type: 'Normal', reason, message })
    state.failure = deadlineExceeded
    return true
  }

  /** Allocates CPUs. Admission has already counted them, so a shortage is unexpected and final. */
  async #allocateCpus(state: PodState): Promise<boolean> {
    try {
      await this.#dependencies.cpus?.ensure(state.pod)
      return true
    } catch (error) {
      if (!(error instanceof CpuAdmissionError)) throw error
      const { reason, message } = error
      state.failure = { phase: 'Failed', reason, message, isRejection: true }
      this.#warn(state.pod, reason, message)
      return false
    }
  }

  /** Stops the pod while an obstacle keeps it from running. */
  async #stopBlocked(state: PodState, observed: ObservedPod, signal: AbortSignal): Promise<SyncResult> {
    if (!observed.containers.some(mayBeRunning)) return unchanged
    try {
      await killPod(this.#dependencies, state.pod, observed, { signal })
    } finally {
      state.actedAtGeneration = this.#dependencies.view.generation
    }
    return unchanged
  }

  /** Creates the mirror pod. A static pod runs even if that fails. */
  async #ensureMirror({ pod, mirror }: PodState): Promise<void> {
    try {
      await this.#dependencies.mirrors.ensure(pod, mirror)
    } catch (error) {
      this.#dependencies.environment.log.warn('mirror pod creation failed', { pod: pod.metadata.name, error })
    }
  }

  #warn(pod: Pod, reason: string, message: string): void {
    this.#dependencies.events.record({ about: pod, type: 'Warning', reason, message })
  }
}

function isFinal({ phase }: PodStatus): boolean {
  return phase === 'Succeeded' || phase === 'Failed'
}

function isEmpty({ sandboxAttempt, kills, removals, resets, starts, killsPod }: PodSyncActions): boolean {
  const lists = [kills, removals, resets, starts]
  return !killsPod && sandboxAttempt === undefined && lists.every((list) => list.length === 0)
}

const deadlineExceeded: PodFailure = {
  phase: 'Failed',
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
}

/** Returns when the active deadline expires, in milliseconds since the epoch, or undefined without one. */
function deadlineOf({ spec }: Pod, { startTime }: PodStatus): number | undefined {
  if (spec?.activeDeadlineSeconds === undefined || startTime === undefined) return undefined
  return Date.parse(startTime) + spec.activeDeadlineSeconds * 1000
}
