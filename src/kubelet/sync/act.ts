import type { Draft } from '../../cri/interface/message.js'
import type { PodSandboxConfig } from '../../cri/interface/sandbox-config.js'
import { ContainerError } from '../containers/container-error.js'
import { containersOf, describePod, isSidecar, type PodContainer } from '../pods/pod-containers.js'
import { removeContainer } from '../runtime/garbage.js'
import { specificationHash } from '../runtime/labels.js'
import type { ObservedPod, ObservedSandbox } from '../runtime/observed-pod.js'
import type { Actions } from './actions.js'
import { crashLoopKey, delayInWords } from './crash-loop.js'
import { killContainer } from './kill-container.js'
import { killPod, mayRun } from './kill-pod.js'
import { Later } from './later.js'
import type { NetworkCheck } from './network-check.js'
import type { PodState } from './pod-state.js'
import { ensureVolumes, passNetwork, runSandbox, sandboxConfig } from './prepare-pod.js'
import { type Premises, startContainer } from './start-container.js'
import type { SyncParts } from './sync-parts.js'

export interface ActRequest {
  readonly state: PodState
  readonly observed: ObservedPod
  readonly actions: Actions
  readonly signal: AbortSignal
}

const startRetry = 10_000

const pullReasons: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff', 'RegistryUnavailable'])

/** What came of it: when somebody has to look again though nothing happens by itself, in milliseconds since the epoch. */
export interface Outcome {
  readonly hasFailed: boolean
  readonly lookAgainAt: number | undefined
}

/** Does what was decided about a pod, as far as it gets. */
export class Act {
  readonly #parts: SyncParts
  readonly #network: NetworkCheck
  readonly #request: ActRequest
  #hasFailed = false
  #lookAgainAt: number | undefined

  constructor(parts: SyncParts, network: NetworkCheck, request: ActRequest) {
    this.#parts = parts
    this.#network = network
    this.#request = request
  }

  async run(): Promise<Outcome> {
    const { actions, signal, state } = this.#request
    await this.#stop()
    await this.#clear()
    signal.throwIfAborted()
    const volumes = await ensureVolumes(this.#parts, state, signal)
    if (actions.sandboxAttempt !== undefined || actions.starts.length > 0) {
      const sandbox = await this.#sandbox()
      await this.#start({ ...sandbox, volumes, pod: state.pod, observed: this.#request.observed, signal })
    }
    return { hasFailed: this.#hasFailed, lookAgainAt: this.#lookAgainAt }
  }

  async #stop(): Promise<void> {
    const { state, observed, actions, signal } = this.#request
    const { pod } = state
    if (actions.sandboxAttempt !== undefined && actions.isSandboxChanged) {
      const message = 'Pod sandbox changed, it will be killed and re-created.'
      this.#parts.events.record({ about: pod, type: 'Normal', reason: 'SandboxChanged', message })
    }
    if (actions.killsPod) await killPod(this.#parts, pod, observed, { signal, begun: state.begunStops })
    const [podAddress] = observed.sandboxes[0]?.addresses ?? []
    for (const { target, container: one, message, reason } of actions.kills)
      await killContainer(this.#parts, { pod, ...one, target, message, reason, podAddress, signal })
  }

  /** What is in the way of a start, and what a pod leaves behind that begins anew. */
  async #clear(): Promise<void> {
    const { actions } = this.#request
    for (const container of actions.removals) await removeContainer(this.#parts.runtime, container)
    await this.#beginAnew()
  }

  /** Not before the one whose end is the cause might have been started again. */
  async #beginAnew(): Promise<void> {
    const { actions, state } = this.#request
    const cause = containersOf(state.pod).find(({ container }) => container.name === actions.resets.at(-1)?.name)
    if (!cause || this.#isHeldBack(cause)) return
    for (const target of actions.resets) await this.#reset(target)
    state.waiting.clear()
  }

  /** At once, without hook and grace. Logs stay: they tell how often a container was started. */
  async #reset(target: ObservedPod['containers'][number]): Promise<void> {
    const { runtime } = this.#parts
    const { pod } = this.#request.state
    if (mayRun(target)) await runtime.stopContainer({ containerId: target.id, timeout: 0 })
    const isEphemeral = (pod.spec.ephemeralContainers ?? []).some(({ name }) => name === target.name)
    if (!isEphemeral) await removeContainer(runtime, target, { keepsLog: true })
  }

  async #sandbox(): Promise<Pick<Premises, 'sandboxId' | 'sandbox' | 'podAddresses'>> {
    const { state, observed, actions } = this.#request
    const { pod } = state
    const [last] = observed.sandboxes
    const attempt = actions.sandboxAttempt ?? last?.attempt ?? 0
    try {
      if (actions.sandboxAttempt !== undefined) await passNetwork(this.#parts, this.#network, pod)
      const sandbox = await sandboxConfig(this.#parts, { pod, attempt })
      const used = actions.sandboxAttempt === undefined ? last! : await this.#newSandbox(attempt, sandbox)
      return { sandbox, sandboxId: used.id, podAddresses: this.#addresses(used) }
    } catch (error) {
      if (error instanceof Later) throw error
      this.#request.signal.throwIfAborted()
      const message = `Failed to create pod sandbox: ${(error as Error).message}`
      this.#parts.events.record({ about: pod, type: 'Warning', reason: 'FailedCreatePodSandBox', message })
      throw error
    }
  }

  async #newSandbox(attempt: number, sandbox: Draft<PodSandboxConfig>): Promise<ObservedSandbox> {
    this.#request.signal.throwIfAborted()
    const { pod } = this.#request.state
    return this.#parts.metrics.startingPod(() => runSandbox(this.#parts, { pod, attempt }, sandbox))
  }

  #addresses({ addresses, hasHostNetwork }: ObservedSandbox): readonly string[] {
    return hasHostNetwork ? this.#parts.identity.hostAddresses : addresses
  }

  /** A main container or a sidecar that does not start keeps no other from starting; an init container does. */
  async #start(premises: Premises): Promise<void> {
    for (const one of this.#request.actions.starts) {
      premises.signal.throwIfAborted()
      const waits = this.#isHeldBack(one) || this.#isTriedLater(one)
      const isThere = waits ? false : await this.#startOne(premises, one)
      if (!isThere && one.type === 'init' && !isSidecar(one.container)) return
    }
  }

  async #startOne(premises: Premises, one: PodContainer): Promise<boolean> {
    const { waiting, retries } = this.#request.state
    const { name } = one.container
    this.#parts.metrics.startingContainer(one)
    try {
      await startContainer(this.#parts, premises, one)
      waiting.delete(name)
      return true
    } catch (error) {
      if (!(error instanceof ContainerError)) throw error
      waiting.set(name, { reason: error.reason, message: error.message })
      this.#parts.metrics.containerFailed(one, error.reason)
      // Pulls are held back by those who do them.
      if (!pullReasons.has(error.reason)) retries.set(name, this.#parts.environment.clock.now() + startRetry)
      this.#hasFailed = true
      return false
    }
  }

  /** What keeps a container from starting does not go away with the next thing that happens to the pod. */
  #isTriedLater({ container: { name } }: PodContainer): boolean {
    const { retries } = this.#request.state
    const at = retries.get(name) ?? 0
    const isLater = at > this.#parts.environment.clock.now()
    if (isLater) this.#lookAgain(at)
    else retries.delete(name)
    return isLater
  }

  #lookAgain(at: number): void {
    this.#lookAgainAt = Math.min(this.#lookAgainAt ?? Number.POSITIVE_INFINITY, at)
  }

  #isHeldBack({ container, fieldPath }: PodContainer): boolean {
    const { state, observed } = this.#request
    const { pod } = state
    const last = observed.containers.find((one) => one.name === container.name && one.state === 'exited')
    if (!last) return false
    const { crashLoop, events } = this.#parts
    const key = crashLoopKey(state.uid, container.name, specificationHash(container))
    const held = crashLoop.heldBack(key, last.finishedAt)
    if (!held) {
      crashLoop.restarted(key, last.finishedAt)
      return false
    }
    const told = `Back-off restarting failed container ${container.name} in pod ${describePod(pod)}`
    events.record({ about: pod, fieldPath, type: 'Warning', reason: 'BackOff', message: told })
    const message = `back-off ${delayInWords(held.delay)} restarting failed container=${container.name} pod=${describePod(pod)}`
    state.waiting.set(container.name, { reason: 'CrashLoopBackOff', message })
    this.#lookAgain(held.until)
    return true
  }
}
