import type { Environment } from '../../base/environment.js'
import type { UnscheduledStatusWriter } from '../attempts/pod-status-writer.js'
import { traceBinding } from '../attempts/trace.js'
import type { PodInfo } from '../cache/pod-info.js'
import type { SchedulerProfile } from '../framework/profile.js'
import type { Binder } from './binder.js'

/** Enough to keep a server busy, and few enough that a pod of high priority does not wait behind many others. */
const maxConcurrent = 128

/** A binding to make, and what to call when it has ended. */
export interface PendingBinding {
  readonly pod: PodInfo
  readonly nodeName: string
  readonly profile: SchedulerProfile
  readonly onBound: () => void
  readonly onFailed: (error: unknown) => void
}

/** Runs bindings concurrently, in the background. */
export class BindingPool {
  readonly #environment: Environment
  readonly #statuses: UnscheduledStatusWriter
  readonly #binder: Binder
  readonly #closing = new AbortController()
  readonly #running = new Set<Promise<void>>()

  constructor(binder: Binder, environment: Environment, statuses: UnscheduledStatusWriter) {
    this.#environment = environment
    this.#statuses = statuses
    this.#binder = binder
  }

  /** Starts the binding. After `close` neither callback is called: only the API server knows whether the pod is bound. */
  bind(binding: PendingBinding): void {
    const ended = this.#bind(binding).finally(() => this.#running.delete(ended))
    this.#running.add(ended)
  }

  async #bind({ pod, nodeName, profile, onBound, onFailed }: PendingBinding): Promise<void> {
    const { signal } = this.#closing
    const since = this.#environment.clock.monotonic()
    try {
      await this.#statuses.finished(pod.uid)
      await this.#binder.bind(pod, nodeName, { profile, signal })
      traceBinding(this.#environment, pod, { since, nodeName })
      onBound()
    } catch (error) {
      if (signal.aborted) return
      traceBinding(this.#environment, pod, { since, nodeName, error })
      onFailed(error)
    }
  }

  /** Resolves when another binding can start. */
  async capacity(): Promise<void> {
    while (this.#running.size >= maxConcurrent && !this.#closing.signal.aborted) await Promise.race(this.#running)
  }

  async idle(): Promise<void> {
    await Promise.all(this.#running)
  }

  close(): void {
    this.#closing.abort(new Error('the scheduler was closed'))
  }
}
