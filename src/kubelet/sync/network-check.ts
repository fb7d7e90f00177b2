import type { Clock } from '../../base/clock.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'

/** Milliseconds for which a ready network counts as ready. */
const trust = 5000

/** The pod network is not ready. */
export class NetworkNotReadyError extends Error {
  override readonly name = 'NetworkNotReady'
}

/** Checks that the runtime can give addresses to pods, before a sandbox is created. */
export class NetworkCheck {
  readonly #runtime: ContainerRuntime
  readonly #clock: Clock
  #readyUntil = 0
  /** Shared by all pods that start at the same time. */
  #asking: Promise<void> | undefined

  constructor(runtime: ContainerRuntime, clock: Clock) {
    this.#runtime = runtime
    this.#clock = clock
  }

  /** Rejects with `NetworkNotReadyError`. */
  async ensureReady(): Promise<void> {
    if (this.#clock.monotonic() < this.#readyUntil) return
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    await this.#asking
  }

  async #ask(): Promise<void> {
    const { status } = await this.#runtime.status({})
    const condition = status?.conditions.find(({ type }) => type === 'NetworkReady')
    if (condition?.status !== true) {
      const { reason = '', message = '' } = condition ?? {}
      const told = `NetworkReady=false reason:${reason} message:${message}`
      throw new NetworkNotReadyError(`network is not ready: container runtime network not ready: ${told}`)
    }
    this.#readyUntil = this.#clock.monotonic() + trust
  }
}
