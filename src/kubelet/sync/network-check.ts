import type { Clock } from '../../base/clock.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'

/** Milliseconds for which a ready network counts as ready. */
const readyFor = 5000

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
  #checking: Promise<void> | undefined

  constructor(runtime: ContainerRuntime, clock: Clock) {
    this.#runtime = runtime
    this.#clock = clock
  }

  /** Rejects with `NetworkNotReadyError`. */
  async ensureReady(): Promise<void> {
    if (this.#clock.monotonic() < this.#readyUntil) return
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    await this.#checking
  }

  async #check(): Promise<void> {
    const { status } = await this.#runtime.status({})
    const condition = status?.conditions.find(({ type }) => type === 'NetworkReady')
    if (condition?.status !== true) {
      const { reason = '', message = '' } = condition ?? {}
      const details = `NetworkReady=false reason:${reason} message:${message}`
      throw new NetworkNotReadyError(`network is not ready: container runtime network not ready: ${details}`)
    }
    this.#readyUntil = this.#clock.monotonic() + readyFor
  }
}
