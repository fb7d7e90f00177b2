import { isCriError } from '../../cri/cri-error.js'
import type { CriContainer } from '../../cri/interface/container.js'
import type { PodSandbox } from '../../cri/interface/sandbox.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { podUidLabel } from './labels.js'
import { emptyPod, groupByPod, type ListedPod, observedContainer, observedPod, observedSandbox } from './observation.js'
import type { ObservedContainer, ObservedPod, ObservedSandbox } from './observed-pod.js'
import { terminationMessage } from './termination-message.js'

interface CachedPod {
  /** Number of the observation that this came from. Observations are numbered as they begin. */
  readonly generation: number
  readonly pod: ObservedPod
  /** Ids and states that were listed. While they stay the same, no status is requested. */
  readonly fingerprint: string
}

/**
 * Caches what the runtime has, pod by pod. An observation is two list requests, plus a status request for each container and sandbox that
 * changed. A newer observation is never replaced by an older one that took longer.
 */
export class RuntimeView {
  readonly #runtime: ContainerRuntime
  readonly #pods = new Map<string, CachedPod>()
  /** Statuses by id and state: they are constant while the state is. */
  readonly #containers = new Map<string, ObservedContainer>()
  readonly #sandboxes = new Map<string, ObservedSandbox>()
  readonly #listeners = new Set<(uid: string) => void>()
  #generation = 0
  #lastRelist = 0

  constructor(runtime: ContainerRuntime) {
    this.#runtime = runtime
  }

  /** Calls `listener` with the uid of each pod that changed. Returns an unsubscribe function. */
  onChange(listener: (uid: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Number of the newest observation. Later ones have higher numbers. */
  get generation(): number {
    return this.#generation
  }

  /** Returns the pod as last observed. */
  pod(uid: string): ObservedPod {
    return this.#pods.get(uid)?.pod ?? emptyPod(uid)
  }

  pods(): readonly ObservedPod[] {
    return [...this.#pods.values()].map(({ pod }) => pod).filter((pod) => !isEmpty(pod))
  }

  /** Returns the pod from an observation that began after `generation`. Observes it again only if necessary. */
  async observedAfter(generation: number, uid: string): Promise<ObservedPod> {
    const last = this.#pods.get(uid)?.generation ?? this.#lastRelist
    if (last <= generation) await this.refresh(uid)
    return this.pod(uid)
  }

  /** Observes one pod now. */
  async refresh(uid: string): Promise<ObservedPod> {
    const generation = ++this.#generation
    const labelSelector = { [podUidLabel]: uid }
    const [{ items }, { containers }] = await Promise.all([
      this.#runtime.listPodSandbox({ filter: { labelSelector } }),
      this.#runtime.listContainers({ filter: { labelSelector } }),
    ])
    await this.#update(generation, { uid, sandboxes: items, containers })
    return this.pod(uid)
  }

  /** Observes all pods now. */
  async relist(): Promise<void> {
    const generation = ++this.#generation
    const [{ items }, { containers }] = await Promise.all([
      this.#runtime.listPodSandbox({}),
      this.#runtime.listContainers({}),
    ])
    const listed = groupByPod(items, containers)
    const gone = [...this.#pods.keys()].filter((uid) => !listed.has(uid))
    await Promise.all([...listed.values()].map((pod) => this.#update(generation, pod)))
    for (const uid of gone) this.#drop(generation, uid)
    this.#lastRelist = Math.max(this.#lastRelist, generation)
    this.#dropUnlisted(items, containers)
  }

  async #update(generation: number, listed: ListedPod): Promise<void> {
    const known = this.#pods.get(listed.uid)
    if (known?.fingerprint === fingerprint(listed)) {
      if (known.generation < generation) this.#pods.set(listed.uid, { ...known, generation })
      return
    }
    const [sandboxes, containers] = await Promise.all([
      Promise.all(listed.sandboxes.map((sandbox) => this.#sandbox(sandbox))),
      Promise.all(listed.containers.map((container) => this.#container(container))),
    ])
    const seen = { sandboxes: sandboxes.filter(isDefined), containers: containers.filter(isDefined) }
    this.#store(generation, listed, observedPod(listed, seen))
  }

  #store(generation: number, listed: ListedPod, pod: ObservedPod): void {
    const known = this.#pods.get(pod.uid)
    if ((known?.generation ?? this.#lastRelist) > generation) return
    // Also kept if it is empty, so that an older observation that ends later does not bring the pod back.
    this.#pods.set(pod.uid, { generation, pod, fingerprint: fingerprint(listed) })
    if (known || !isEmpty(pod)) this.#notify(pod.uid)
  }

  #drop(generation: number, uid: string): void {
    const known = this.#pods.get(uid)
    if (!known || known.generation > generation) return
    this.#pods.delete(uid)
    if (!isEmpty(known.pod)) this.#notify(uid)
  }

  #notify(uid: string): void {
    for (const listener of this.#listeners) listener(uid)
  }

  /** Resolves with undefined if it was removed after it was listed. */
  async #container({ id, state, podSandboxId }: CriContainer): Promise<ObservedContainer | undefined> {
    const key = `${id} ${state}`
    const known = this.#containers.get(key)
    if (known) return known
    const status = await unlessGone(this.#runtime.containerStatus({ containerId: id })).then(
      (response) => response?.status,
    )
    if (!status) return undefined
    const message = status.state === 'CONTAINER_EXITED' ? terminationMessage(status) : ''
    const seen = observedContainer(podSandboxId, status, message)
    this.#containers.set(`${id} ${status.state}`, seen)
    return seen
  }

  async #sandbox({ id, state }: PodSandbox): Promise<ObservedSandbox | undefined> {
    const known = this.#sandboxes.get(`${id} ${state}`)
    return known ?? (await unlessGone(this.sandbox(id)))
  }

  /** Requests the status of one sandbox. Rejects if it does not exist. */
  async sandbox(id: string): Promise<ObservedSandbox> {
    const response = await this.#runtime.podSandboxStatus({ podSandboxId: id })
    if (!response.status) throw new Error('pod sandbox status is nil')
    const seen = observedSandbox(response.status)
    // A sandbox without an address may still get one.
    if (seen.addresses.length > 0 || seen.hasHostNetwork || seen.state === 'notReady')
      this.#sandboxes.set(`${id} ${response.status.state}`, seen)
    return seen
  }

  #dropUnlisted(sandboxes: readonly PodSandbox[], containers: readonly CriContainer[]): void {
    const listed = new Set([...sandboxes, ...containers].map(({ id, state }) => `${id} ${state}`))
    for (const key of this.#containers.keys()) if (!listed.has(key)) this.#containers.delete(key)
    for (const key of this.#sandboxes.keys()) if (!listed.has(key)) this.#sandboxes.delete(key)
  }
}

function fingerprint({ sandboxes, containers }: ListedPod): string {
  return [...sandboxes, ...containers]
    .map(({ id, state }) => `${id} ${state}`)
    .sort()
    .join(',')
}

function isEmpty({ sandboxes, containers }: ObservedPod): boolean {
  return sandboxes.length === 0 && containers.length === 0
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined
}

async function unlessGone<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response
  } catch (error) {
    if (isCriError(error, 'NotFound')) return undefined
    throw error
  }
}
