import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { KeyedBackoff } from '../../base/backoff.js'
import type { Environment } from '../../base/environment.js'
import { WorkQueue } from '../../base/work-queue.js'
import type { Client } from '../../client/client.js'
import { sameJson } from '../../schema/json-value.js'
import type { StatusManager } from './status-manager.js'
import { StatusWriter } from './status-writer.js'
import { newestStoredPod, type PendingStatus } from './stored-pod.js'
import { terminatedContainers, terminatedPhase } from './terminated-status.js'

export interface StatusManagerDependencies {
  readonly environment: Environment
  readonly client: Client
  /**
   * Returns the newest known object that represents a pod in the API: the pod, or the mirror of a static pod. Undefined if there is none.
   * An informer's object of the same namespace and name will do.
   */
  readonly stored: (pod: Pod) => Pod | undefined
}

/** Milliseconds for which changes that are not urgent are batched. */
const batchDelay = 100

/** Number of concurrent writers. */
const writers = 8

export function podStatusManager(dependencies: StatusManagerDependencies): StatusManager {
  return new PodStatusManager(dependencies)
}

class PodStatusManager implements StatusManager {
  readonly #dependencies: StatusManagerDependencies
  readonly #queue: WorkQueue
  readonly #writer: StatusWriter
  readonly #pending = new Map<string, PendingStatus>()
  readonly #closing = new AbortController()

  constructor(dependencies: StatusManagerDependencies) {
    const { environment } = dependencies
    this.#dependencies = dependencies
    const backoff = new KeyedBackoff(environment, { initial: 100, max: 10_000, jitter: 0.2 })
    this.#queue = new WorkQueue(environment, { name: 'pod_status', limiter: limiterOf(backoff) })
    this.#writer = new StatusWriter(dependencies, this.#closing.signal)
    for (let i = 0; i < writers; i++) void this.#work()
  }

  get(uid: string): PodStatus | undefined {
    return this.#pending.get(uid)?.status
  }

  set(pod: Pod, status: PodStatus): void {
    const uid = pod.metadata.uid!
    const known = this.#pending.get(uid)
    if (known && this.#isWritten(known, pod, status)) {
      known.pod = pod
      return
    }
    const before = known?.status ?? newestStoredPod(this.#dependencies, pod)?.status
    this.#enqueue(pod, { status, isUrgent: isUrgent(before, status, pod) })
  }

  finish(pod: Pod): void {
    const status = this.get(pod.metadata.uid!) ?? pod.status ?? {}
    const phase = terminatedPhase(pod, status.phase)
    const pending = this.#enqueue(pod, {
      status: { ...terminatedContainers(pod, status), ...(phase && { phase }) },
      isUrgent: true,
    })
    pending.isFinished = true
  }

  forget(uid: string): void {
    this.#pending.delete(uid)
    this.#queue.forget(uid)
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the kubelet is shutting down'))
    await this.#queue.close()
  }

  /** Returns whether the server already has this status, as far as known. */
  #isWritten(pending: PendingStatus, pod: Pod, status: PodStatus): boolean {
    if (pending.writtenVersion !== pending.version || !sameJson(pending.status, status)) return false
    return newestStoredPod(this.#dependencies, pod, pending)?.metadata.resourceVersion === pending.writtenRevision
  }

  #enqueue(pod: Pod, { status, isUrgent }: { readonly status: PodStatus; readonly isUrgent: boolean }): PendingStatus {
    const uid = pod.metadata.uid!
    const known = this.#pending.get(uid)
    const since = this.#dependencies.environment.clock.monotonic()
    const pending = known ?? { pod, status, version: 0, since, isFinished: false }
    if (pending.writtenVersion === pending.version) pending.since = since
    pending.pod = pod
    pending.status = status
    pending.version++
    if (!known) this.#pending.set(uid, pending)
    if (isUrgent) this.#queue.add(uid)
    else this.#queue.addAfter(uid, batchDelay)
    return pending
  }

  async #work(): Promise<void> {
    for await (const uid of this.#queue.keys()) {
      const pending = this.#pending.get(uid)
      if (!pending) continue
      try {
        await this.#writer.write(pending)
        this.#queue.forget(uid)
      } catch (error) {
        if (this.#closing.signal.aborted) return
        const { name, namespace } = pending.pod.metadata
        this.#dependencies.environment.log.warn('pod status update failed', {
          namespace,
          pod: name,
          error,
        })
        this.#queue.addRateLimited(uid)
      }
    }
  }
}

function limiterOf(backoff: KeyedBackoff) {
  return {
    next: (uid: string) => backoff.next(uid),
    failures: (uid: string) => backoff.failures(uid),
    forget: (uid: string) => backoff.forget(uid),
  }
}

/** Returns whether another component waits for the change: readiness, phase, or anything about a pod that is being deleted. */
function isUrgent(before: PodStatus | undefined, after: PodStatus, { metadata }: Pod): boolean {
  if (metadata.deletionTimestamp !== undefined) return true
  return (before?.phase ?? 'Pending') !== after.phase || isReady(before) !== isReady(after)
}

function isReady(status: PodStatus | undefined): boolean {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True'
}
