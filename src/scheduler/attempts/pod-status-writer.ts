import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import { formatTime } from '../../schema/values/time.js'
import { withRequestTimeout } from '../binding/request-timeout.js'
import { type UnscheduledStatus, unscheduledStatusPatch } from './pod-status.js'

interface StatusUpdate {
  readonly pod: Pod
  readonly status: UnscheduledStatus
}

/** The writes of one pod. */
interface PodWrites {
  /** The latest update that is not being written yet. It replaces an earlier one. */
  next: StatusUpdate | undefined
  finished: Promise<void>
}

/**
 * Writes into the status of pods why they are unschedulable, in the background. The writes of a pod run one after the other; an update that
 * was replaced before it began is skipped. A failed write is only logged: the next attempt writes again.
 */
export class UnscheduledStatusWriter {
  readonly #client: Client
  readonly #environment: Environment
  /** By uid. */
  readonly #writes = new Map<string, PodWrites>()

  constructor(client: Client, environment: Environment) {
    this.#client = client
    this.#environment = environment
  }

  write(pod: Pod, status: UnscheduledStatus): void {
    const uid = pod.metadata.uid!
    const writes = this.#writes.get(uid)
    if (writes) writes.next = { pod, status }
    else this.#begin(uid, { pod, status })
  }

  /** Resolves when no write of the pod is pending: a later write of another component is not overwritten. */
  async finished(uid: string): Promise<void> {
    await this.#writes.get(uid)?.finished
  }

  async allFinished(): Promise<void> {
    await Promise.all([...this.#writes.values()].map(({ finished }) => finished))
  }

  #begin(uid: string, first: StatusUpdate): void {
    const writes: PodWrites = { next: first, finished: Promise.resolve() }
    writes.finished = this.#run(writes).finally(() => this.#writes.delete(uid))
    this.#writes.set(uid, writes)
  }

  async #run(writes: PodWrites): Promise<void> {
    for (let update = writes.next; update; update = writes.next) {
      writes.next = undefined
      try {
        await this.#patch(update)
      } catch (error) {
        this.#environment.log.warn('pod status write failed', { pod: update.pod.metadata.name, error })
      }
    }
  }

  /** After a conflict it reads the pod and tries again, as long as the pod has no node. */
  async #patch({ pod: first, status }: StatusUpdate): Promise<void> {
    const { name, namespace, uid } = first.metadata
    const { clock } = this.#environment
    const pods = this.#client.resource(Pod).in(namespace!)
    for (let pod = first; ; pod = await withRequestTimeout(pods.get(name!), clock)) {
      if (pod.metadata.uid !== uid || pod.spec.nodeName) return
      const patch = unscheduledStatusPatch(pod, status, formatTime(clock.now()))
      if (!patch) return
      try {
        await withRequestTimeout(pods.subresource('status').patch(name!, 'strategic', patch), clock)
        return
      } catch (error) {
        if (hasReason(error, 'NotFound')) return
        if (!hasReason(error, 'Conflict')) throw error
      }
    }
  }
}
