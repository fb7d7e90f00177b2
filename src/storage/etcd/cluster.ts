import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import { UnavailableError } from '../errors.js'
import { FailedCallError, RejectedCallError } from './call-errors.js'
import { MemberClient } from './member.js'
import type { EtcdMethod } from './messages/method.js'
import type { EtcdEndpoint } from './options.js'
import { callOverStream, type StreamCall } from './stream-call.js'

export interface EtcdClusterOptions {
  readonly endpoints: readonly EtcdEndpoint[]
  readonly environment: Environment
  /** Timeout of a call in milliseconds, all attempts together. */
  readonly timeout: number
  /** A member that is silent for this many milliseconds is probed. */
  readonly heartbeat: number
}

/**
 * All members, and the choice between them. One member gets all requests until it fails; then another one. Stores start with a random
 * member, so that many stores spread over the cluster.
 */
export class EtcdCluster {
  readonly #options: EtcdClusterOptions
  readonly #members: readonly MemberClient[]
  #current: MemberClient
  #closed = false

  constructor(options: EtcdClusterOptions) {
    this.#options = options
    const { endpoints, environment, heartbeat } = options
    this.#members = endpoints.map((endpoint) => new MemberClient({ endpoint, environment, heartbeat }))
    this.#current = this.#members[environment.random.integer(this.#members.length)]!
  }

  /** Retries until the timeout. Only for requests that have the same effect once and twice. */
  read<Request, Response>(method: EtcdMethod<Request, Response>, request: Request): Promise<Response> {
    return this.#attempt(true, (member, limit) => member.call(method, request, { limit, repeatable: true }))
  }

  /** Retries only as long as etcd has certainly not started the request. */
  write<Request, Response>(method: EtcdMethod<Request, Response>, request: Request): Promise<Response> {
    return this.#attempt(false, (member, limit) => member.call(method, request, { limit, repeatable: false }))
  }

  /** Sends a request over a stream of its own, and waits for the matching response. Retries as `read` does. */
  callOverStream<Request, Response>(options: StreamCall<Request, Response>): Promise<Response> {
    return this.#attempt(true, (member, limit) =>
      callOverStream(member, options, this.#options.environment.clock, limit),
    )
  }

  /** Returns a connected member. Rejects with `UnavailableError` if there is none in time. */
  async member(limit = this.#options.timeout): Promise<MemberClient> {
    const until = this.#now() + limit
    for (;;) {
      if (this.#closed) throw new UnavailableError('the connections to etcd are closed')
      const member = this.#pick()
      if (member.connected) return member
      try {
        // An unreachable member must not use up the time of the others.
        await member.connect(Math.min(until - this.#now(), this.#options.timeout / 4))
        return member
      } catch (error) {
        if (!(error instanceof FailedCallError)) throw error
        this.markFailed(member, error)
        await this.#pause(until, `${member.address}: ${error.message}`)
      }
    }
  }

  /** The member failed: the next call goes to another one, if there is one. */
  markFailed(member: MemberClient, failure: FailedCallError): void {
    const isNews = member.avoidedUntil <= this.#now()
    member.avoid()
    const fields = { member: member.address, reason: failure.message }
    if (isNews) this.#options.environment.log.warn('etcd member failed', fields)
  }

  close(): void {
    this.#closed = true
    for (const member of this.#members) member.close()
  }

  async #attempt<Response>(
    repeatable: boolean,
    run: (member: MemberClient, limit: number) => Promise<Response>,
  ): Promise<Response> {
    const until = this.#now() + this.#options.timeout
    for (;;) {
      const member = await this.member(until - this.#now())
      try {
        return await run(member, until - this.#now())
      } catch (error) {
        if (!(error instanceof FailedCallError)) throw error instanceof RejectedCallError ? error : asUnavailable(error)
        this.markFailed(member, error)
        const reason = `${member.address}: ${error.message}`
        if (error.mayHaveHappened && !repeatable) throw new UnavailableError(`etcd did not respond: ${reason}`)
        await this.#pause(until, reason)
      }
    }
  }

  #pick(): MemberClient {
    const now = this.#now()
    if (this.#current.avoidedUntil > now)
      this.#current = this.#members.reduce((best, member) => (member.avoidedUntil < best.avoidedUntil ? member : best))
    return this.#current
  }

  /** When every member has failed, waits before the next round. */
  async #pause(until: number, reason: string): Promise<void> {
    const now = this.#now()
    const { clock, random } = this.#options.environment
    const wait = this.#members.some((member) => member.avoidedUntil <= now) ? 0 : 50 + random.integer(100)
    if (now + wait >= until)
      throw new UnavailableError(`etcd did not respond within ${this.#options.timeout} ms: ${reason}`)
    if (wait > 0) await sleep(clock, wait)
  }

  #now(): number {
    return this.#options.environment.clock.monotonic()
  }
}

/** A mistake of ours, or an invalid response: the effect of the request is unknown. */
function asUnavailable(error: unknown): UnavailableError {
  return new UnavailableError('request to etcd failed', { cause: error })
}
