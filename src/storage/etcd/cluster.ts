import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import { UnavailableError } from '../errors.js'
import { FailedCallError, RejectedCallError } from './call-errors.js'
import { type Exchange, exchange } from './exchange.js'
import { MemberClient } from './member.js'
import type { EtcdMethod } from './messages/method.js'
import type { EtcdEndpoint } from './options.js'

export interface EtcdClusterOptions {
  readonly endpoints: readonly EtcdEndpoint[]
  readonly environment: Environment
  /** In milliseconds: how long a call may take, all attempts together. */
  readonly timeout: number
  /** In milliseconds: how long a member may be silent before it is asked for a sign of life. */
  readonly heartbeat: number
}

/**
 * All members, and which of them to ask. One member is asked for everything until it is of no help; then another one is, and
 * stays. Stores begin with a member at random, so that many stores spread over the cluster.
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

  /** Asks as often as it takes: only for what has the same effect once and twice. */
  read<Request, Response>(method: EtcdMethod<Request, Response>, request: Request): Promise<Response> {
    return this.#attempt(true, (member, limit) => member.call(method, request, { limit, repeatable: true }))
  }

  /** Asks again only as long as etcd has surely not begun. */
  write<Request, Response>(method: EtcdMethod<Request, Response>, request: Request): Promise<Response> {
    return this.#attempt(false, (member, limit) => member.call(method, request, { limit, repeatable: false }))
  }

  /** Asks over a stream of its own, and waits for the first answer that is one. To be used as `read` is. */
  exchange<Request, Response>(options: Exchange<Request, Response>): Promise<Response> {
    return this.#attempt(true, (member, limit) => exchange(member, options, this.#options.environment.clock, limit))
  }

  /** A member with a connection. `UnavailableError` if none can be found in time. */
  async member(limit = this.#options.timeout): Promise<MemberClient> {
    const until = this.#now() + limit
    for (;;) {
      if (this.#closed) throw new UnavailableError('the connections to etcd are closed')
      const member = this.#pick()
      if (member.connected) return member
      try {
        // A member that is cut off, rather than gone, must not use up the time of the others.
        await member.connect(Math.min(until - this.#now(), this.#options.timeout / 4))
        return member
      } catch (error) {
        if (!(error instanceof FailedCallError)) throw error
        this.markFailed(member, error)
        await this.#pause(until, `${member.address}: ${error.message}`)
      }
    }
  }

  /** This member was of no help: the next call goes to another one, if there is another one. */
  markFailed(member: MemberClient, failure: FailedCallError): void {
    const isNews = member.avoidedUntil <= this.#now()
    member.avoid()
    const fields = { member: member.address, reason: failure.message }
    if (isNews) this.#options.environment.log.warn('An etcd member was of no help', fields)
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
        if (error.mayHaveHappened && !repeatable) throw new UnavailableError(`etcd did not answer: ${reason}`)
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

  /** When every member has been of no help, waits a moment before the next round. */
  async #pause(until: number, reason: string): Promise<void> {
    const now = this.#now()
    const { clock, random } = this.#options.environment
    const wait = this.#members.some((member) => member.avoidedUntil <= now) ? 0 : 50 + random.integer(100)
    if (now + wait >= until)
      throw new UnavailableError(`etcd did not answer within ${this.#options.timeout} ms: ${reason}`)
    if (wait > 0) await sleep(clock, wait)
  }

  #now(): number {
    return this.#options.environment.clock.monotonic()
  }
}

/** A mistake of ours, or an answer that cannot be understood: what etcd did is unknown. */
function asUnavailable(error: unknown): UnavailableError {
  return new UnavailableError('etcd could not be asked', { cause: error })
}
