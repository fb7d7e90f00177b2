import {
  type ClientRequest,
  ConnectionLostError,
  type Transport,
  type TransportResult,
} from '../../client/transport.js'

/**
 * What happens to a component at its last write. `beforeResponse`: it is killed after the server has stored the write, before the response
 * arrives. `afterResponse`: it is killed before it sends another write. `responseLost`: it lives on, but the connection breaks before the
 * response arrives.
 */
export type WriteFault = 'beforeResponse' | 'afterResponse' | 'responseLost'

export interface WriteFaultOptions {
  /** The number of writes before the fault. Default: never. */
  readonly after?: number
  /** Default: `afterResponse`. */
  readonly fault?: WriteFault
}

/**
 * Wraps the transports of one controller manager and kills the manager after a chosen write. To the server it looks as if the process had
 * died: nothing more is sent, and responses that are still on their way are dropped.
 */
export class WriteFaultInjector {
  readonly #after: number
  readonly #fault: WriteFault
  #writes = 0
  #isDead = false

  constructor({ after = Number.POSITIVE_INFINITY, fault = 'afterResponse' }: WriteFaultOptions = {}) {
    this.#after = after
    this.#fault = fault
  }

  /** The number of writes sent so far. */
  get writes(): number {
    return this.#writes
  }

  get isDead(): boolean {
    return this.#isDead
  }

  readonly wrap = (inner: Transport): Transport => ({
    ...inner,
    send: (request) => (isWrite(request) ? this.#write(inner, request) : this.#carry(inner, request)),
  })

  async #write(inner: Transport, request: ClientRequest): Promise<TransportResult> {
    if (this.#fault === 'afterResponse' && this.#writes >= this.#after) this.#isDead = true
    this.#checkAlive()
    const isLast = ++this.#writes === this.#after
    const result = await this.#carry(inner, request)
    if (isLast && this.#fault === 'responseLost')
      throw new ConnectionLostError('connection lost before the response arrived')
    if (isLast && this.#fault === 'beforeResponse') this.#isDead = true
    this.#checkAlive()
    return result
  }

  async #carry(inner: Transport, request: ClientRequest): Promise<TransportResult> {
    this.#checkAlive()
    const result = await inner.send(request)
    this.#checkAlive()
    return result
  }

  #checkAlive(): void {
    if (this.#isDead) throw new Error('killed')
  }
}

/** Events do not count: no controller depends on them. */
function isWrite({ method, path }: ClientRequest): boolean {
  return method !== 'GET' && !/\/events(\/|$)/.test(path)
}

export function killAfterWrites(writes: number): (inner: Transport) => Transport {
  return new WriteFaultInjector({ after: writes }).wrap
}
