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
  /** In milliseconds. */
  readonly heartbeat: number
}

export interface EtcdCallOptions {
  /** In milliseconds. */
  readonly limit: number
  /** Whether it does no harm to ask again elsewhere: such a call does not wait for a member that shows no life. */
  readonly repeatable: boolean
}

const readProbe = { ...rangeMethod(0), decode: () => {} }
const probeRequest = { key: Uint8Array.of(0), countOnly: true, serializable: true }

/** One member of the etcd cluster, as seen from here. */
export class MemberClient {
  readonly #options: MemberClientOptions
  readonly #heartbeat: Heartbeat
  #channel: EtcdChannel
  /** Writes under way: they cannot be asked for again, and so wait until they are answered or their time is over. */
  #waiting = 0
  /** How to let go of what can be asked for elsewhere, when this member shows no life. */
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
      probe: () => this.#ask(),
      onDeath: (reason) => this.#release(reason),
    })
  }

  get address(): string {
    return this.#options.endpoint.address
  }

  get connected(): boolean {
    return this.#channel.connected
  }

  /** In monotonic time: until then, other members are to be preferred. */
  get avoidedUntil(): number {
    return this.#avoidedUntil
  }

  /** This member was of no help: for a while, others are to be preferred. */
  avoid(): void {
    this.#version = undefined // it may come back as another one
    this.#avoidedUntil = this.#options.environment.clock.monotonic() + 10 * this.#options.heartbeat
  }

  /** Rejects with a `Failure`; nothing was sent then. */
  async connect(limit: number): Promise<void> {
    const channel = this.#channel
    try {
      await channel.connect(limit)
    } catch (error) {
      // Still trying: the other side took the connection and says nothing. Trying anew may reach one that does.
      if (channel === this.#channel && channel.connecting) this.reset()
      throw error
    }
  }

  /** Rejects with a `Refusal` or a `Failure`, the latter also when `limit` is over. */
  async call<Request, Response>(
    method: EtcdMethod<Request, Response>,
    request: Request,
    { limit, repeatable }: EtcdCallOptions,
  ): Promise<Response> {
    const { response, cancel } = this.#channel.call(method, request)
    const timer = this.#options.environment.clock.timer(limit, () => cancel('no answer in time'))
    if (repeatable) this.#releases.add(cancel)
    else this.#waiting++
    this.#heartbeat.start()
    try {
      const answer = await response
      this.#heartbeat.heard()
      return answer
    } finally {
      timer.cancel()
      if (repeatable) this.#releases.delete(cancel)
      else this.#waiting--
    }
  }

  /** Ends by itself, with a `Failure`, when the member shows no life. */
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

  /** The version of etcd that this member runs, as far as is known without asking twice. */
  version(limit: number): Promise<string> {
    this.#version ??= this.call(versionMethod, undefined, { limit, repeatable: true }).catch((error) => {
      this.#version = undefined
      throw error
    })
    return this.#version
  }

  /** Gives up the connection, dead as it may be; the next call makes a new one. Writes under way still get their answers. */
  reset(): void {
    this.#channel.close()
    this.#channel = new EtcdChannel(this.#options.endpoint, this.#options.environment.clock)
  }

  close(): void {
    this.#heartbeat.stop()
    for (const release of [...this.#releases]) release('the store is closed')
    this.#channel.close()
  }

  async #ask(): Promise<void> {
    const { response, cancel } = this.#channel.call(readProbe, probeRequest)
    const limit = this.#options.heartbeat * 1.5
    const timer = this.#options.environment.clock.timer(limit, () => cancel(`silent for ${limit} ms`))
    await response.finally(() => timer.cancel())
  }

  #release(reason: string): void {
    this.#options.environment.log.warn('An etcd member shows no life', { member: this.address, reason })
    this.avoid()
    this.reset()
    for (const release of [...this.#releases]) release(reason)
  }
}
