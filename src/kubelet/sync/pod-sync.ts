import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { CpuRefusal } from '../cgroups/cpu-manager.js'
import { garbageOf, removeGarbage } from '../runtime/garbage.js'
import type { ObservedPod } from '../runtime/observed-pod.js'
import { Act, type Outcome } from './act.js'
import type { Actions } from './actions.js'
import { deadlineExceeded, deadlineOf } from './deadline.js'
import { decide } from './decide.js'
import { killPod, mayRun } from './kill-pod.js'
import { NetworkCheck } from './network-check.js'
import type { PodState } from './pod-state.js'
import { tellStatus } from './pod-statuses.js'
import { stage } from './stages.js'
import type { SyncParts } from './sync-parts.js'

/** What a look at a pod came to. */
export interface SyncResult extends Outcome {
  /** The pod is over, and has to be ended. */
  readonly isOver: boolean
}

interface LookedAt {
  readonly observed: ObservedPod
  readonly actions: Actions
  readonly signal: AbortSignal
}

const quiet: SyncResult = { isOver: false, hasFailed: false, lookAgainAt: undefined }

/**
 * The three things that are done with a pod, each of them as often as it takes: bring it to what it should be, end it, and take away
 * what is left of it. Each begins by looking at what there is, and relies on nothing else.
 */
export class PodSync {
  readonly #parts: SyncParts
  readonly #network: NetworkCheck

  constructor(parts: SyncParts) {
    this.#parts = parts
    this.#network = new NetworkCheck(parts.runtime, parts.environment.clock)
  }

  async sync(state: PodState, signal: AbortSignal): Promise<SyncResult> {
    const { view, prober } = this.#parts
    const { pod } = state
    const observed = await view.since(state.actedAt, state.uid)
    signal.throwIfAborted()
    prober.attend(pod, observed)
    const status = this.#tell(state, observed)
    if (this.#passesDeadline(state) || isFinal(status)) return { ...quiet, isOver: true }
    if (state.isStatic) await this.#showStaticPod(state)
    if (this.#parts.obstacle(pod)) return this.#holdOff(state, observed, signal)
    if (!(await this.#hasCores(state))) return { ...quiet, isOver: true }
    const actions = decide({ pod, observed, probes: prober })
    if (actions.killsPod && actions.sandboxAttempt === undefined) return { ...quiet, isOver: true }
    return this.#act(state, { observed, actions, signal })
  }

  /** Stops everything. Resolves when nothing of the pod runs. */
  async terminate(state: PodState, signal: AbortSignal): Promise<void> {
    const { view, prober, environment } = this.#parts
    const { pod, uid, gracePeriod, begunStops: begun } = state
    const observed = await view.since(state.actedAt, uid)
    prober.attendEnding(pod, observed)
    tellStatus(this.#parts, state, observed, { isTerminating: true })
    const told = () => `${observed.containers.filter(mayRun).length} stopped`
    try {
      await stage(environment, { name: 'terminate', pod, told }, () =>
        killPod(this.#parts, pod, observed, { begun, signal, ...(gracePeriod !== undefined && { gracePeriod }) }),
      )
    } catch (error) {
      if (!signal.aborted) this.#warn(pod, 'FailedKillPod', `error killing pod: ${(error as Error).message}`)
      throw error
    } finally {
      state.actedAt = view.looks
    }
    const after = await view.since(state.actedAt, uid)
    if (after.containers.some(mayRun)) throw new Error('a container of the pod still runs')
    await this.#parts.cpus?.release(uid)
    prober.forget(uid)
    tellStatus(this.#parts, state, after, { isTerminating: true, isTerminated: true })
  }

  /** Takes away what the pod had on this node, but for ended containers, whose logs may be asked for; then the API server is told. */
  async finish(state: PodState): Promise<void> {
    const { view, volumes, cgroups, status, environment, runtime } = this.#parts
    const { pod, uid } = state
    const observed = await view.since(state.actedAt, uid)
    tellStatus(this.#parts, state, observed, { isTerminating: true, isTerminated: true })
    await stage(environment, { name: 'remove volumes', pod }, () => volumes.remove(uid))
    await stage(environment, { name: 'remove cgroups', pod }, () => cgroups.remove(uid))
    await removeGarbage(runtime, garbageOf(observed))
    status.finish(pod)
  }

  async #act(state: PodState, what: LookedAt): Promise<SyncResult> {
    const act = () => new Act(this.#parts, this.#network, { state, ...what }).run()
    if (isNothing(what.actions)) {
      const outcome = await act()
      await removeGarbage(this.#parts.runtime, garbageOf(what.observed))
      return { ...outcome, isOver: false, lookAgainAt: this.#nextLook(state, outcome) }
    }
    const [acted] = await Promise.allSettled([act()])
    await this.#lookAfterwards(state, what.signal)
    if (acted.status === 'rejected') throw acted.reason
    return { ...acted.value, isOver: false, lookAgainAt: this.#nextLook(state, acted.value) }
  }

  /** Whatever was done, nothing that was seen before counts any more. */
  async #lookAfterwards(state: PodState, signal: AbortSignal): Promise<void> {
    const { view, prober, runtime } = this.#parts
    state.actedAt = view.looks
    const after = await view.refresh(state.uid)
    if (signal.aborted) return
    prober.attend(state.pod, after)
    this.#tell(state, after)
    await removeGarbage(runtime, garbageOf(after))
  }

  /** And notes how long the pod took to run, if this is when it first does. */
  #tell(state: PodState, observed: ObservedPod): PodStatus {
    const status = tellStatus(this.#parts, state, observed)
    if (state.waitsSince !== undefined && status.phase === 'Running') {
      this.#parts.metrics.podRuns(this.#parts.environment.clock.monotonic() - state.waitsSince)
      state.waitsSince = undefined
    }
    return status
  }

  #nextLook({ pod, status }: PodState, { lookAgainAt }: Outcome): number | undefined {
    const times = [lookAgainAt, deadlineOf(pod, status)].filter((time) => time !== undefined)
    return times.length === 0 ? undefined : Math.min(...times)
  }

  #passesDeadline(state: PodState): boolean {
    if (state.verdict) return true
    const deadline = deadlineOf(state.pod, state.status)
    if (deadline === undefined || this.#parts.environment.clock.now() < deadline) return false
    const { reason, message } = deadlineExceeded
    this.#parts.events.record({ about: state.pod, type: 'Normal', reason, message })
    state.verdict = deadlineExceeded
    return true
  }

  /** Whoever let the pod in has counted them: that there are too few is not expected, and final. */
  async #hasCores(state: PodState): Promise<boolean> {
    try {
      await this.#parts.cpus?.ensure(state.pod)
      return true
    } catch (error) {
      if (!(error instanceof CpuRefusal)) throw error
      const { reason, message } = error
      state.verdict = { phase: 'Failed', reason, message, isRefusal: true }
      this.#warn(state.pod, reason, message)
      return false
    }
  }

  /** Nothing of it may run for now. */
  async #holdOff(state: PodState, observed: ObservedPod, signal: AbortSignal): Promise<SyncResult> {
    if (!observed.containers.some(mayRun)) return quiet
    try {
      await killPod(this.#parts, state.pod, observed, { signal })
    } finally {
      state.actedAt = this.#parts.view.looks
    }
    return quiet
  }

  /** A static pod runs whether or not anybody can see it. */
  async #showStaticPod({ pod, mirror }: PodState): Promise<void> {
    try {
      await this.#parts.mirrors.ensure(pod, mirror)
    } catch (error) {
      this.#parts.environment.log.warn('a static pod cannot be shown', { pod: pod.metadata.name, error })
    }
  }

  #warn(pod: Pod, reason: string, message: string): void {
    this.#parts.events.record({ about: pod, type: 'Warning', reason, message })
  }
}

function isFinal({ phase }: PodStatus): boolean {
  return phase === 'Succeeded' || phase === 'Failed'
}

function isNothing({ sandboxAttempt, kills, removals, resets, starts, killsPod }: Actions): boolean {
  const lists = [kills, removals, resets, starts]
  return !killsPod && sandboxAttempt === undefined && lists.every((list) => list.length === 0)
}
