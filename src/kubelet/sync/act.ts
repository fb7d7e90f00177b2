import { isSidecar } from '../../api/core/v1/pod/resources.js'
import type { PartialMessage } from '../../cri/interface/message.js'
import type { PodSandboxConfig } from '../../cri/interface/sandbox-config.js'
import { ContainerError } from '../containers/container-error.js'
import { formatPod, type PodContainer, podContainers } from '../pods/pod-containers.js'
import { removeContainer } from '../runtime/garbage.js'
import { specificationHash } from '../runtime/labels.js'
import type { ObservedPod, ObservedSandbox } from '../runtime/observed-pod.js'
import { crashLoopKey, formatDelay } from './crash-loop-backoff.js'
import { killContainer } from './kill-container.js'
import { killPod, mayBeRunning } from './kill-pod.js'
import type { NetworkCheck } from './network-check.js'
import type { PodSyncActions } from './pod-actions.js'
import type { PodState } from './pod-state.js'
import { ensureNetworkReady, ensureVolumes, runSandbox, sandboxConfig } from './prepare-pod.js'
import { RetryLaterError } from './retry-later-error.js'
import { type ContainerStartContext, startContainer } from './start-container.js'
import type { SyncDependencies } from './sync-dependencies.js'

export interface PodActRequest {
  readonly state: PodState
  readonly observed: ObservedPod
  readonly actions: PodSyncActions
  readonly signal: AbortSignal
}

const startRetry = 10_000

const pullReasons: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff', 'RegistryUnavailable'])

/**
 * The result of acting on a pod. `resyncAt` (milliseconds since the epoch) says when the pod must be synced again even if nothing happens.
 */
export interface PodActResult {
  readonly hasFailed: boolean
  readonly resyncAt: number | undefined
}

/** Executes the decided actions for one pod, as far as possible. */
export class ActionExecutor {
  readonly #dependencies: SyncDependencies
  readonly #network: NetworkCheck
  readonly #request: PodActRequest
  #hasFailed = false
  #resyncAt: number | undefined

  constructor(dependencies: SyncDependencies, network: NetworkCheck, request: PodActRequest) {
    this.#dependencies = dependencies
    this.#network = network
    this.#request = request
  }

  async run(): Promise<PodActResult> {
    const { actions, signal, state } = this.#request
    await this.#stop()
    await this.#clear()
    signal.throwIfAborted()
    const volumes = await ensureVolumes(this.#dependencies, state, signal)
    if (actions.sandboxAttempt !== undefined || actions.starts.length > 0) {
      const sandbox = await this.#sandbox()
      await this.#start({ ...sandbox, volumes, pod: state.pod, observed: this.#request.observed, signal })
    }
    return { hasFailed: this.#hasFailed, resyncAt: this.#resyncAt }
  }

  async #stop(): Promise<void> {
    const { state, observed, actions, signal } = this.#request
    const { pod } = state
    if (actions.sandboxAttempt !== undefined && actions.isSandboxChanged) {
      const message = 'Pod sandbox changed, it will be killed and re-created.'
      this.#dependencies.events.record({ about: pod, type: 'Normal', reason: 'SandboxChanged', message })
    }
    if (actions.killsPod) await killPod(this.#dependencies, pod, observed, { signal, progress: state.stopProgress })
    const [podAddress] = observed.sandboxes[0]?.addresses ?? []
    for (const { target, container: one, message, reason } of actions.kills)
      await killContainer(this.#dependencies, { pod, ...one, target, message, reason, podAddress, signal })
  }

  /** Removes containers that are in the way, and resets the pod if all its containers restart. */
  async #clear(): Promise<void> {
    const { actions } = this.#request
    for (const container of actions.removals) await removeContainer(this.#dependencies.runtime, container)
    await this.#restartAll()
  }

  /** Resets the containers, but not before the crash loop back-off of the container that caused it is over. */
  async #restartAll(): Promise<void> {
    const { actions, state } = this.#request
    const cause = podContainers(state.pod).find(({ container }) => container.name === actions.resets.at(-1)?.name)
    if (!cause || this.#isBackingOff(cause)) return
    for (const target of actions.resets) await this.#reset(target)
    state.waiting.clear()
  }

  /** Stops a container at once, without hook and grace period. Keeps the log, because restart counts derive from logs. */
  async #reset(target: ObservedPod['containers'][number]): Promise<void> {
    const { runtime } = this.#dependencies
    const { pod } = this.#request.state
    if (mayBeRunning(target)) await runtime.stopContainer({ containerId: target.id, timeout: 0 })
    const isEphemeral = (pod.spec.ephemeralContainers ?? []).some(({ name }) => name === target.name)
    if (!isEphemeral) await removeContainer(runtime, target, { keepsLog: true })
  }

  async #sandbox(): Promise<Pick<ContainerStartContext, 'sandboxId' | 'sandbox' | 'podAddresses'>> {
    const { state, observed, actions } = this.#request
    const { pod } = state
    const [last] = observed.sandboxes
    const attempt = actions.sandboxAttempt ?? last?.attempt ?? 0
    try {
      if (actions.sandboxAttempt !== undefined) await ensureNetworkReady(this.#dependencies, this.#network, pod)
      const sandbox = await sandboxConfig(this.#dependencies, { pod, attempt })
      const used = actions.sandboxAttempt === undefined ? last! : await this.#newSandbox(attempt, sandbox)
      return { sandbox, sandboxId: used.id, podAddresses: this.#addresses(used) }
    } catch (error) {
      if (error instanceof RetryLaterError) throw error
      this.#request.signal.throwIfAborted()
      const message = `Failed to create pod sandbox: ${(error as Error).message}`
      this.#dependencies.events.record({ about: pod, type: 'Warning', reason: 'FailedCreatePodSandBox', message })
      throw error
    }
  }

  async #newSandbox(attempt: number, sandbox: PartialMessage<PodSandboxConfig>): Promise<ObservedSandbox> {
    this.#request.signal.throwIfAborted()
    const { pod } = this.#request.state
    return this.#dependencies.metrics.startingPod(() => runSandbox(this.#dependencies, { pod, attempt }, sandbox))
  }

  #addresses({ addresses, hasHostNetwork }: ObservedSandbox): readonly string[] {
    return hasHostNetwork ? this.#dependencies.identity.hostAddresses : addresses
  }

  /** Starts containers in order. A failed init container stops the sequence; a failed sidecar or main container does not. */
  async #start(context: ContainerStartContext): Promise<void> {
    for (const one of this.#request.actions.starts) {
      context.signal.throwIfAborted()
      const isDelayed = this.#isBackingOff(one) || this.#isStartDelayed(one)
      const isStarted = isDelayed ? false : await this.#startOne(context, one)
      if (!isStarted && one.type === 'init' && !isSidecar(one.container)) return
    }
  }

  async #startOne(context: ContainerStartContext, one: PodContainer): Promise<boolean> {
    const { waiting, retryAt: retries } = this.#request.state
    const { name } = one.container
    this.#dependencies.metrics.startingContainer(one)
    try {
      await startContainer(this.#dependencies, context, one)
      waiting.delete(name)
      return true
    } catch (error) {
      if (!(error instanceof ContainerError)) throw error
      waiting.set(name, { reason: error.reason, message: error.message })
      this.#dependencies.metrics.containerFailed(one, error.reason)
      // Image pulls have their own back-off.
      if (!pullReasons.has(error.reason)) retries.set(name, this.#dependencies.environment.clock.now() + startRetry)
      this.#hasFailed = true
      return false
    }
  }

  /** Returns whether the last failed start is too recent. Other changes of the pod do not shorten the wait. */
  #isStartDelayed({ container: { name } }: PodContainer): boolean {
    const { retryAt: retries } = this.#request.state
    const at = retries.get(name) ?? 0
    const isLater = at > this.#dependencies.environment.clock.now()
    if (isLater) this.#requestResync(at)
    else retries.delete(name)
    return isLater
  }

  #requestResync(at: number): void {
    this.#resyncAt = Math.min(this.#resyncAt ?? Number.POSITIVE_INFINITY, at)
  }

  #isBackingOff({ container, fieldPath }: PodContainer): boolean {
    const { state, observed } = this.#request
    const { pod } = state
    const last = observed.containers.find((one) => one.name === container.name && one.state === 'exited')
    if (!last) return false
    const { crashLoop, events } = this.#dependencies
    const key = crashLoopKey(state.uid, container.name, specificationHash(container))
    const backoff = crashLoop.active(key, last.finishedAt)
    if (!backoff) {
      crashLoop.recordRestart(key, last.finishedAt)
      return false
    }
    const eventMessage = `Back-off restarting failed container ${container.name} in pod ${formatPod(pod)}`
    events.record({ about: pod, fieldPath, type: 'Warning', reason: 'BackOff', message: eventMessage })
    const message = `back-off ${formatDelay(backoff.delay)} restarting failed container=${container.name} pod=${formatPod(pod)}`
    state.waiting.set(container.name, { reason: 'CrashLoopBackOff', message })
    this.#requestResync(backoff.until)
    return true
  }
}
