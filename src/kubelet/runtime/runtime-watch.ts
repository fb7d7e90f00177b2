import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import { isCriError } from '../../cri/cri-error.js'
import type { ContainerEventResponse } from '../../cri/interface/events.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import type { RuntimeView } from './runtime-view.js'

/** Milliseconds between two relists without events. */
const relistPeriod = 200
/** Milliseconds between two relists while the event stream works, in case an event is lost. */
const relistPeriodWithEvents = 10_000
/** An event stream that stays open for so many milliseconds counts as working. */
const streamOpenAfter = 1000
const streamRetry = 1000
/** Milliseconds in which events of one pod are combined into one observation. */
const batchDelay = 5

export interface RuntimeWatchDependencies {
  readonly runtime: ContainerRuntime
  readonly view: RuntimeView
  readonly environment: Environment
}

/** Keeps the view up to date: by the runtime's events if it has them, otherwise by periodic relists. */
export class RuntimeWatch {
  readonly #dependencies: RuntimeWatchDependencies
  readonly #closing = new AbortController()
  /** Resolves after the first successful relist. */
  readonly synced: Promise<void>
  readonly #finished: Promise<unknown>
  readonly #pendingPods = new Set<string>()
  #hasEvents = false
  #isFailing = false
  #isDue = false
  #relistedAt: number
  #endPause = () => {}

  constructor(dependencies: RuntimeWatchDependencies) {
    this.#dependencies = dependencies
    this.#relistedAt = dependencies.environment.clock.monotonic()
    let seen = () => {}
    this.synced = new Promise((resolve) => (seen = resolve))
    this.#finished = Promise.all([this.#relistPeriodically(seen), this.#watchEvents()])
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the kubelet is shutting down'))
    this.#wake()
    await this.#finished
  }

  /** Returns the milliseconds since the last successful relist. */
  timeSinceRelist(): number {
    return this.#dependencies.environment.clock.monotonic() - this.#relistedAt
  }

  async #relistPeriodically(seen: () => void): Promise<void> {
    const { clock } = this.#dependencies.environment
    while (!this.#closing.signal.aborted) {
      const began = clock.monotonic()
      if (await this.#relist()) seen()
      const took = clock.monotonic() - began
      const period = this.#hasEvents ? relistPeriodWithEvents : relistPeriod
      // Leaves a slow runtime as much idle time as the relist took.
      await this.#pause(Math.max(period - took, took))
    }
  }

  async #relist(): Promise<boolean> {
    try {
      await this.#dependencies.view.relist()
      this.#isFailing = false
      this.#relistedAt = this.#dependencies.environment.clock.monotonic()
      return true
    } catch (error) {
      if (!this.#isFailing && !this.#closing.signal.aborted)
        this.#dependencies.environment.log.error('runtime relist failed', { error })
      this.#isFailing = true
      return false
    }
  }

  /** Waits until the delay is over or a relist is due. */
  async #pause(delay: number): Promise<void> {
    if (!this.#isDue && !this.#closing.signal.aborted)
      await new Promise<void>((resolve) => {
        const timer = this.#dependencies.environment.clock.timer(delay, resolve)
        this.#endPause = () => {
          timer.cancel()
          resolve()
        }
      })
    this.#isDue = false
  }

  #wake(): void {
    this.#isDue = true
    this.#endPause()
  }

  async #watchEvents(): Promise<void> {
    const { clock, log } = this.#dependencies.environment
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        await this.#readEvents()
      } catch (error) {
        if (signal.aborted || isCriError(error, 'Unimplemented')) return
        log.debug('runtime event stream broken', { error })
      } finally {
        this.#hasEvents = false
        this.#wake()
      }
      await sleep(clock, streamRetry, signal).catch(() => {}) // only the signal rejects it, and the loop checks it
    }
  }

  async #readEvents(): Promise<void> {
    const { runtime, environment } = this.#dependencies
    const trial = environment.clock.timer(streamOpenAfter, () => this.#streamOpened())
    try {
      for await (const event of runtime.getContainerEvents({}, { signal: this.#closing.signal }))
        this.#handleEvent(event)
    } finally {
      trial.cancel()
    }
  }

  /** Relists once, for events from before the stream worked. */
  #streamOpened(): void {
    this.#hasEvents = true
    this.#wake()
  }

  #handleEvent({ podSandboxStatus }: ContainerEventResponse): void {
    const uid = podSandboxStatus?.metadata?.uid
    if (!uid) this.#wake()
    else if (!this.#pendingPods.has(uid)) {
      this.#pendingPods.add(uid)
      this.#dependencies.environment.clock.timer(batchDelay, () => this.#refresh(uid))
    }
  }

  #refresh(uid: string): void {
    this.#pendingPods.delete(uid)
    if (this.#closing.signal.aborted) return
    this.#dependencies.view.refresh(uid).catch(() => this.#wake()) // the relist logs the error
  }
}
