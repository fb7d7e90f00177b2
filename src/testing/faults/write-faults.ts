import {
  type ClientRequest,
  ConnectionLostError,
  type Transport,
  type TransportResult,
} from '../../client/transport.js'

/**
 * What befalls a component. `unheard`: it is killed when its last write has been carried out, before it hears of that.
 * `heard`: it is killed before it sends another. `lost`: it lives, and the connection breaks before it hears of that write.
 */
export type WriteFault = 'unheard' | 'heard' | 'lost'

export interface WriteFaultOptions {
  /** After so many writes it is struck; never unless told. */
  readonly after?: number
  /** `heard` unless told. */
  readonly fault?: WriteFault
}

/**
 * Comes between the loops of one controller manager and the server, and kills the manager after a certain write. To the server it is all
 * the same as if the process were dead: what has not been sent never is, and nobody hears the answers that are still to come.
 */
export class WriteFaultInjector {
  readonly #after: number
  readonly #blow: WriteFault
  #writes = 0
  #isDead = false

  constructor({ after = Number.POSITIVE_INFINITY, fault: blow = 'heard' }: WriteFaultOptions = {}) {
    this.#after = after
    this.#blow = blow
  }

  /** How many were sent so far. */
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
    if (this.#blow === 'heard' && this.#writes >= this.#after) this.#isDead = true
    this.#checkAlive()
    const isLast = ++this.#writes === this.#after
    const result = await this.#carry(inner, request)
    if (isLast && this.#blow === 'lost')
      throw new ConnectionLostError('the connection broke before there was an answer')
    if (isLast && this.#blow === 'unheard') this.#isDead = true
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

/** What is told of what was done does not count: nothing depends on it. */
function isWrite({ method, path }: ClientRequest): boolean {
  return method !== 'GET' && !/\/events(\/|$)/.test(path)
}

export function killAfterWrites(writes: number): (inner: Transport) => Transport {
  return new WriteFaultInjector({ after: writes }).wrap
}
