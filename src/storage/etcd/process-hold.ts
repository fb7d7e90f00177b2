import { MessageChannel } from 'node:worker_threads'

/**
 * Keeps the process from ending while anything is awaited. Timers do not (see `base/clock.ts`), and between two attempts to reach
 * a member that is away there may be no connection that would: a program that waits for an answer would end without one.
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
