import { Pod } from '../../api/core/v1/pod.js'
import { ApiError, hasReason } from '../../api/errors.js'
import { Backoff } from '../../base/backoff.js'
import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import type { PodInfo } from '../cache/pod-info.js'
import type { Extender } from '../extenders/extender.js'
import type { SchedulerProfile } from '../framework/profile.js'
import { withRequestTimeout } from './request-timeout.js'

/** Between requests for the result of a binding. Milliseconds. */
const delays = { initial: 100, max: 5000 }

export interface BinderDependencies {
  readonly client: Client
  readonly environment: Environment
  /** An extender with a bind verb binds the pods that it is interested in. */
  readonly extenders: readonly Extender[]
}

/**
 * Binds pods. The API server binds a pod at most once. If the response is lost, the binder reads the pod until the result is known: until
 * then the pod must count on the node where it may be.
 */
export class Binder {
  readonly #dependencies: BinderDependencies

  constructor(dependencies: BinderDependencies) {
    this.#dependencies = dependencies
  }

  /** Resolves when the pod is bound to the node. Throws when it is certain that it is not and will not be. */
  async bind({ pod }: PodInfo, nodeName: string, options: BindOptions): Promise<void> {
    const { environment } = this.#dependencies
    const { signal } = options
    const backoff = new Backoff(environment, delays)
    for (;;) {
      try {
        return await withRequestTimeout(this.#request(pod, nodeName, options), environment.clock)
      } catch (error) {
        signal.throwIfAborted()
        const isBound = await this.#isBound(pod, nodeName, signal)
        if (isBound) return
        if (isBound === false && (isFinal(error) || this.#bindingExtender(pod))) throw error
        environment.log.warn('binding result unknown', { pod: pod.metadata.name, nodeName, error })
        await sleep(environment.clock, backoff.next(), signal)
      }
    }
  }

  #bindingExtender(pod: Pod): Extender | undefined {
    return this.#dependencies.extenders.find((each) => each.bind && each.isInterested(pod))
  }

  async #request(pod: Pod, nodeName: string, { profile }: BindOptions): Promise<void> {
    const extender = this.#bindingExtender(pod)
    if (extender) return extender.bind!(pod, nodeName)
    await profile.bind[0]!.bind!(pod, nodeName, this.#dependencies.client)
  }

  /** Whether the pod is bound to the node; undefined if that cannot be read now. */
  async #isBound({ metadata }: Pod, nodeName: string, signal: AbortSignal): Promise<boolean | undefined> {
    const { client, environment } = this.#dependencies
    const { name, namespace, uid } = metadata
    try {
      const reading = client.resource(Pod).in(namespace!).get(name!)
      const now = await withRequestTimeout(reading, environment.clock)
      return now.metadata.uid === uid && now.spec.nodeName === nodeName
    } catch (error) {
      signal.throwIfAborted()
      return hasReason(error, 'NotFound') ? false : undefined
    }
  }
}

export interface BindOptions {
  readonly profile: SchedulerProfile
  readonly signal: AbortSignal
}

/** The server has decided. A timeout, an overload or a lost response leaves the result open. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.code !== 429 && error.code !== 503 && error.code !== 504
}
