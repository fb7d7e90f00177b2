import { Binding } from '../../api/core/v1/binding.js'
import { Pod } from '../../api/core/v1/pod.js'
import { ApiError, hasReason } from '../../api/errors.js'
import { Backoff } from '../../base/backoff.js'
import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import type { PodInfo } from '../cache/pod-info.js'
import type { Extender } from '../extenders/extender.js'
import { withRequestTimeout } from './request-timeout.js'

/** Between attempts to find out how a binding ended. Milliseconds. */
const delays = { initial: 100, max: 5000 }

/**
 * Says to the server where a pod goes. It is said once: the server refuses to hear it a second time, of the same pod from whomever. Where
 * the answer is lost, it is asked again until it is known how it ended: until then the pod counts where it may be.
 */
export class Binder {
  readonly #client: Client
  readonly #environment: Environment

  readonly #extenders: readonly Extender[]

  /** @param extenders some of whom bind pods in place of the scheduler */
  constructor(client: Client, environment: Environment, extenders: readonly Extender[] = []) {
    this.#client = client
    this.#extenders = extenders
    this.#environment = environment
  }

  /** Resolves when the pod is bound to that node. Throws when it is known that it is not and will not be. */
  async bind({ pod }: PodInfo, nodeName: string, signal: AbortSignal): Promise<void> {
    const backoff = new Backoff(this.#environment, delays)
    for (;;) {
      try {
        return await withRequestTimeout(this.#say(pod, nodeName), this.#environment.clock)
      } catch (error) {
        signal.throwIfAborted()
        const isThere = await this.#isThere(pod, nodeName, signal)
        if (isThere) return
        if (isThere === false && (isFinal(error) || this.#delegate(pod))) throw error
        this.#environment.log.warn('how a binding ended is not known', { pod: pod.metadata.name, nodeName, error })
        await sleep(this.#environment.clock, backoff.next(), signal)
      }
    }
  }

  /** Who binds that pod in place of the scheduler. */
  #delegate(pod: Pod): Extender | undefined {
    return this.#extenders.find((each) => each.bind && each.isInterested(pod))
  }

  /** Without a signal, which would cost as much as the rest: when the transport is closed, it ends as well. */
  async #say(pod: Pod, nodeName: string): Promise<void> {
    const delegate = this.#delegate(pod)
    if (delegate) return delegate.bind!(pod, nodeName)
    const { name, namespace, uid } = pod.metadata
    const bindings = this.#client.resource(Pod).in(namespace!).subresource('binding', Binding)
    const target = { apiVersion: 'v1', kind: 'Node', name: nodeName }
    await bindings.create({ metadata: { name: name!, namespace: namespace!, uid: uid! }, target })
  }

  /** Whether the server has heard it after all; undefined if that cannot be found out now. */
  async #isThere({ metadata }: Pod, nodeName: string, signal: AbortSignal): Promise<boolean | undefined> {
    const { name, namespace, uid } = metadata
    try {
      const asking = this.#client.resource(Pod).in(namespace!).get(name!)
      const now = await withRequestTimeout(asking, this.#environment.clock)
      return now.metadata.uid === uid && now.spec.nodeName === nodeName
    } catch (error) {
      signal.throwIfAborted()
      return hasReason(error, 'NotFound') ? false : undefined
    }
  }
}

/** The server is through with it. That it takes too long, or that there was no answer, leaves open what will come of it. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.code !== 429 && error.code !== 503 && error.code !== 504
}
