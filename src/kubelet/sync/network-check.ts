import type { Clock } from '../../base/clock.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'

/** As long as that, in milliseconds, a network that was there is taken to be there. */
const trust = 5000

/** The network of pods is not there yet. */
export class NetworkNotReadyError extends Error {
  override readonly name = 'NetworkNotReady'
}

/** Asks the runtime whether pods can have addresses, before one is promised to a pod. */
export class NetworkCheck {
  readonly #runtime: ContainerRuntime
  readonly #clock: Clock
  #readyUntil = 0
  /** Many pods that begin at once ask once. */
  #asking: Promise<void> | undefined

  constructor(runtime: ContainerRuntime, clock: Clock) {
    this.#runtime = runtime
    this.#clock = clock
  }

  /** Rejects with `NetworkNotReady`. */
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
