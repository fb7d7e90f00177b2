import type { Environment } from '../../base/environment.js'
import type { UnscheduledStatusWriter } from '../attempts/pod-status-writer.js'
import { traceBinding } from '../attempts/trace.js'
import type { PodInfo } from '../cache/pod-info.js'
import type { Binder } from './binder.js'

/** So many bindings are under way at most: enough to keep a server busy, and few enough that a pod that matters more is not far behind. */
const most = 128

export interface BindingCallbacks {
  readonly bound: () => void
  readonly failed: (error: unknown) => void
}

/** Bindings that are under way, side by side. */
export class BindingPool {
  readonly #environment: Environment
  readonly #statuses: UnscheduledStatusWriter
  readonly #binder: Binder
  readonly #closing = new AbortController()
  readonly #underWay = new Set<Promise<void>>()

  constructor(binder: Binder, environment: Environment, statuses: UnscheduledStatusWriter) {
    this.#environment = environment
    this.#statuses = statuses
    this.#binder = binder
  }

  /** Begins one; says how it ended. After `close` nothing is said any more: whether the pod is bound is for the server to tell. */
  bind(pod: PodInfo, nodeName: string, outcome: BindingCallbacks): void {
    const ended = this.#bind(pod, nodeName, outcome).finally(() => this.#underWay.delete(ended))
    this.#underWay.add(ended)
  }

  async #bind(pod: PodInfo, nodeName: string, { bound, failed }: BindingCallbacks): Promise<void> {
    const { signal } = this.#closing
    const since = this.#environment.clock.monotonic()
    try {
      await this.#statuses.finished(pod.uid)
      await this.#binder.bind(pod, nodeName, signal)
      traceBinding(this.#environment, pod, { since, nodeName })
      bound()
    } catch (error) {
      if (signal.aborted) return
      traceBinding(this.#environment, pod, { since, nodeName, error })
      failed(error)
    }
  }

  /** Resolves when one more can begin. */
  async room(): Promise<void> {
    while (this.#underWay.size >= most && !this.#closing.signal.aborted) await Promise.race(this.#underWay)
  }

  async idle(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  /** Gives up those that are under way. */
  close(): void {
    this.#closing.abort(new Error('the scheduler was closed'))
  }
}
