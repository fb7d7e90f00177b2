import { MessageChannel } from 'node:worker_threads'

/**
 * Keeps the process alive while a response is awaited. Timers do not (see `base/clock.ts`), and between two attempts to reach a member
 * there may be no connection that would: the program would exit without a result.
 */
export class ProcessHold {
  readonly #channel = new MessageChannel()
  #awaited = 0

  constructor() {
    this.#channel.port1.on('message', () => {})
    this.#channel.port1.unref()
  }

  acquire(): void {
    if (this.#awaited++ === 0) this.#channel.port1.ref()
  }

  release(): void {
    if (--this.#awaited === 0) this.#channel.port1.unref()
  }

  close(): void {
    this.#channel.port1.close()
  }
}
