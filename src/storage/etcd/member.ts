import type { Environment } from '../../base/environment.js'
import { FailedCallError } from './call-errors.js'
import { EtcdChannel, type EtcdStream, type EtcdStreamHandlers } from './channel.js'
import { Heartbeat } from './heartbeat.js'
import { versionMethod } from './messages/maintenance.js'
import type { EtcdMethod } from './messages/method.js'
import { rangeMethod } from './messages/range.js'
import type { EtcdEndpoint } from './options.js'

export interface MemberClientOptions {
  readonly endpoint: EtcdEndpoint
  readonly environment: Environment
  /** Milliseconds. */
  readonly heartbeat: number
}

export interface EtcdCallOptions {
  /** Milliseconds. */
  readonly limit: number
  /** Whether the call can be sent again to another member: such a call does not wait for a member that does not respond. */
  readonly repeatable: boolean
}

const readProbe = { ...rangeMethod(0), decode: () => {} }
const probeRequest = { key: Uint8Array.of(0), countOnly: true, serializable: true }

/** One member of the etcd cluster. */
export class MemberClient {
  readonly #options: MemberClientOptions
  readonly #heartbeat: Heartbeat
  #channel: EtcdChannel
  /** The number of running writes. They cannot be sent again, and wait for their response or timeout. */
  #waiting = 0
  /** Cancel the calls that can be sent to another member, if this one does not respond. */
  readonly #releases = new Set<(reason: string) => void>()
  #version: Promise<string> | undefined
  #avoidedUntil = 0

  constructor(options: MemberClientOptions) {
    this.#options = options
    this.#channel = new EtcdChannel(options.endpoint, options.environment.clock)
    this.#heartbeat = new Heartbeat({
      clock: options.environment.clock,
      interval: options.heartbeat,
      isAwaited: () => this.#waiting > 0 || this.#releases.size > 0,
      probe: () => this.#probe(),
      onDeath: (reason) => this.#release(reason),
    })
  }

  get address(): string {
    return this.#options.endpoint.address
  }

  get connected(): boolean {
    return this.#channel.connected
  }

  /** In monotonic time: until then, other members are preferred. */
  get avoidedUntil(): number {
    return this.#avoidedUntil
  }

  /** The member failed: for a while, other members are preferred. */
  avoid(): void {
    this.#version = undefined // it may come back with another version
    this.#avoidedUntil = this.#options.environment.clock.monotonic() + 10 * this.#options.heartbeat
  }

  /** Rejects with a `FailedCallError`; nothing was sent then. */
  async connect(limit: number): Promise<void> {
    const channel = this.#channel
    try {
      await channel.connect(limit)
    } catch (error) {
      // Still connecting: the peer accepted the connection and sends nothing. A new connection may reach a working one.
      if (channel === this.#channel && channel.connecting) this.reset()
      throw error
    }
  }

  /** Rejects with a `RejectedCallError` or a `FailedCallError`, the latter also after `limit`. */
  async call<Request, Response>(
    method: EtcdMethod<Request, Response>,
    request: Request,
    { limit, repeatable }: EtcdCallOptions,
  ): Promise<Response> {
    const { response, cancel } = this.#channel.call(method, request)
    const timer = this.#options.environment.clock.timer(limit, () => cancel('no response in time'))
    if (repeatable) this.#releases.add(cancel)
    else this.#waiting++
    this.#heartbeat.start()
    try {
      const result = await response
      this.#heartbeat.heard()
      return result
    } finally {
      timer.cancel()
      if (repeatable) this.#releases.delete(cancel)
      else this.#waiting--
    }
  }

  /** Ends with a `FailedCallError` if the member does not respond. */
  stream<Request, Response>(
    method: EtcdMethod<Request, Response>,
    { onMessage, onEnd }: EtcdStreamHandlers<Response>,
  ): EtcdStream<Request> {
    const stream = this.#channel.stream(method, {
      onMessage: (message: Response) => {
        if (this.#heartbeat.heard()) onMessage(message)
      },
      onEnd(reason) {
        forget()
        onEnd(reason)
      },
    })
    const release = (reason: string) => {
      cancel()
      onEnd(new FailedCallError(reason, true))
    }
    const forget = () => this.#releases.delete(release)
    const cancel = () => {
      forget()
      stream.cancel()
    }
    this.#releases.add(release)
    this.#heartbeat.start()
    return { send: stream.send, cancel }
  }

  /** Returns the version of etcd of this member, from a cache if possible. */
  version(limit: number): Promise<string> {
    this.#version ??= this.call(versionMethod, undefined, { limit, repeatable: true }).catch((error) => {
      this.#version = undefined
      throw error
    })
    return this.#version
  }

  /** Drops the connection; the next call opens a new one. Running writes still get their responses. */
  reset(): void {
    this.#channel.close()
    this.#channel = new EtcdChannel(this.#options.endpoint, this.#options.environment.clock)
  }

  close(): void {
    this.#heartbeat.stop()
    for (const release of [...this.#releases]) release('the store is closed')
    this.#channel.close()
  }

  async #probe(): Promise<void> {
    const { response, cancel } = this.#channel.call(readProbe, probeRequest)
    const limit = this.#options.heartbeat * 1.5
    const timer = this.#options.environment.clock.timer(limit, () => cancel(`silent for ${limit} ms`))
    await response.finally(() => timer.cancel())
  }

  #release(reason: string): void {
    this.#options.environment.log.warn('etcd member does not respond', { member: this.address, reason })
    this.avoid()
    this.reset()
    for (const release of [...this.#releases]) release(reason)
  }
}
