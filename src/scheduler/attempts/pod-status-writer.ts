import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import { formatTime } from '../../schema/values/time.js'
import { withRequestTimeout } from '../binding/request-timeout.js'
import { type UnscheduledStatus, unscheduledStatusPatch } from './pod-status.js'

/** What is to be said of a pod next, and the writing that is under way. */
interface Writing {
  next: { readonly pod: Pod; readonly news: UnscheduledStatus } | undefined
  readonly finished: Promise<void>
}

/**
 * Writes into the status of pods why they were not placed, in the background: of each pod one thing after the other, and what has been
 * overtaken not at all. A failure to write is no failure of the scheduler: the next attempt says it again.
 */
export class UnscheduledStatusWriter {
  readonly #client: Client
  readonly #environment: Environment
  /** By uid. */
  readonly #writings = new Map<string, Writing>()

  constructor(client: Client, environment: Environment) {
    this.#client = client
    this.#environment = environment
  }

  write(pod: Pod, news: UnscheduledStatus): void {
    const uid = pod.metadata.uid!
    const writing = this.#writings.get(uid)
    if (writing) writing.next = { pod, news }
    else this.#begin(uid, { pod, news })
  }

  /** Resolves when nothing is being written of that pod: what is said then is not overwritten by what was true before. */
  async finished(uid: string): Promise<void> {
    await this.#writings.get(uid)?.finished
  }

  async allFinished(): Promise<void> {
    await Promise.all([...this.#writings.values()].map(({ finished }) => finished))
  }

  #begin(uid: string, first: { readonly pod: Pod; readonly news: UnscheduledStatus }): void {
    const writing = { next: first } as { next: Writing['next']; finished: Promise<void> }
    writing.finished = this.#work(writing).finally(() => this.#writings.delete(uid))
    this.#writings.set(uid, writing)
  }

  async #work(writing: { next: Writing['next'] }): Promise<void> {
    for (let one = writing.next; one; one = writing.next) {
      writing.next = undefined
      try {
        await this.#patch(one.pod, one.news)
      } catch (error) {
        this.#environment.log.warn('the status of a pod could not be written', { pod: one.pod.metadata.name, error })
      }
    }
  }

  /** If the pod was changed meanwhile, it is said of what it has become, as long as that has no node. */
  async #patch(seen: Pod, news: UnscheduledStatus): Promise<void> {
    const { name, namespace, uid } = seen.metadata
    const { clock } = this.#environment
    const pods = this.#client.resource(Pod).in(namespace!)
    for (let pod = seen; ; pod = await withRequestTimeout(pods.get(name!), clock)) {
      if (pod.metadata.uid !== uid || pod.spec.nodeName) return
      const patch = unscheduledStatusPatch(pod, news, formatTime(clock.now()))
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
