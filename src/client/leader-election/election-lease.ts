import { Lease, type LeaseSpec } from '../../api/coordination/v1/lease.js'
import { hasReason } from '../../api/errors.js'
import type { Environment } from '../../base/environment.js'
import { formatMicroTime } from '../../schema/values/time.js'
import type { Client } from '../client.js'
import type { ResourceClient } from '../resource-client.js'
import { withStallTimeout } from '../stall-timeout.js'

export interface ElectionLeaseOptions {
  readonly client: Client
  readonly environment: Environment
  readonly namespace: string
  readonly name: string
  /** The identity of this candidate. It must be unique. */
  readonly identity: string
  /** Milliseconds. */
  readonly leaseDuration: number
  /** Timeout of one request, in milliseconds. */
  readonly requestTimeout: number
}

/**
 * The Lease of an election, as one candidate sees it. Whether it has expired is measured with the candidate's own clock, from when the
 * candidate first saw the current state: the times in the Lease come from other clocks.
 */
export class ElectionLease {
  readonly #options: ElectionLeaseOptions
  readonly #leases: ResourceClient<Lease>
  #seen: { readonly lease: Lease; readonly at: number } | undefined

  constructor(options: ElectionLeaseOptions) {
    this.#options = options
    this.#leases = options.client.resource(Lease).in(options.namespace)
  }

  /** The last state that this candidate has seen. */
  get lease(): Lease | undefined {
    return this.#seen?.lease
  }

  /** '' if nobody holds the lease, or the holder is unknown. */
  get holder(): string {
    return this.#seen?.lease.spec.holderIdentity ?? ''
  }

  get isMine(): boolean {
    return this.holder === this.#options.identity
  }

  /** Milliseconds until the lease of its holder expires. */
  get remaining(): number {
    if (!this.#seen || this.holder === '') return 0
    const { lease, at } = this.#seen
    const seconds = lease.spec.leaseDurationSeconds ?? 0
    return Math.max(0, at + 1000 * seconds - this.#now())
  }

  /**
   * Acquires or renews the lease. Returns the time at which the request began: other candidates cannot have seen the renewal earlier, so
   * none acquires the lease within its duration from that time. Returns undefined if another candidate holds it. Throws if the state is
   * unknown.
   */
  async hold(signal: AbortSignal): Promise<number | undefined> {
    // The holder need not read the lease first, because no other candidate writes it.
    const since = this.isMine ? await this.#holdAs(this.#seen!.lease, signal) : undefined
    if (since !== undefined) return since
    const lease = await this.#read(signal)
    if (!lease) return this.#create(signal)
    this.#see(lease)
    return this.isMine || this.remaining === 0 ? this.#holdAs(lease, signal) : undefined
  }

  /** Releases the lease, so that the next candidate need not wait. */
  async release(signal: AbortSignal): Promise<void> {
    if (!this.#seen || !this.isMine || (await this.#writeReleased(this.#seen.lease, signal))) return
    // A renewal that timed out may have taken effect.
    const lease = await this.#read(signal)
    if (lease?.spec.holderIdentity === this.#options.identity) await this.#writeReleased(lease, signal)
  }

  #writeReleased(lease: Lease, signal: AbortSignal): Promise<boolean> {
    const now = formatMicroTime(this.#options.environment.clock.now())
    const spec = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now }
    return this.#write(lease, spec, signal)
  }

  async #holdAs(lease: Lease, signal: AbortSignal): Promise<number | undefined> {
    const begun = this.#now()
    return (await this.#write(lease, this.#spec(lease.spec), signal)) ? begun : undefined
  }

  async #read(signal: AbortSignal): Promise<Lease | undefined> {
    try {
      return await this.#request(signal, (inner) => this.#leases.get(this.#options.name, { signal: inner, retries: 0 }))
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined
      throw error
    }
  }

  /** Returns undefined if another candidate was faster. */
  async #create(signal: AbortSignal): Promise<number | undefined> {
    const begun = this.#now()
    const lease = { metadata: { name: this.#options.name }, spec: this.#spec(undefined) }
    try {
      this.#see(await this.#request(signal, (inner) => this.#leases.create(lease, { signal: inner, retries: 0 })))
      return begun
    } catch (error) {
      if (hasReason(error, 'AlreadyExists')) return undefined
      throw error
    }
  }

  /** Returns false if the lease has changed since it was seen. */
  async #write(seen: Lease, spec: LeaseSpec, signal: AbortSignal): Promise<boolean> {
    const lease = { ...seen, spec: { ...seen.spec, ...spec } }
    try {
      this.#see(await this.#request(signal, (inner) => this.#leases.update(lease, { signal: inner, retries: 0 })))
      return true
    } catch (error) {
      if (hasReason(error, 'Conflict') || hasReason(error, 'NotFound')) return false
      throw error
    }
  }

  #request(signal: AbortSignal, send: (signal: AbortSignal) => Promise<Lease>): Promise<Lease> {
    const { environment, requestTimeout } = this.#options
    return withStallTimeout(send, { clock: environment.clock, signal, limit: () => requestTimeout })
  }

  #spec(old: LeaseSpec | undefined): LeaseSpec {
    const { environment, identity, leaseDuration } = this.#options
    const now = formatMicroTime(environment.clock.now())
    const isNew = old?.holderIdentity !== identity
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseDuration / 1000),
      acquireTime: isNew ? now : (old.acquireTime ?? now),
      renewTime: now,
      leaseTransitions: old ? (old.leaseTransitions ?? 0) + (isNew ? 1 : 0) : 0,
    }
  }

  /** Only writes of the holder extend a lease: another client may add a label. */
  #see(lease: Lease): void {
    const isSame = this.#seen && JSON.stringify(this.#seen.lease.spec) === JSON.stringify(lease.spec)
    this.#seen = { lease, at: isSame ? this.#seen!.at : this.#now() }
  }

  #now(): number {
    return this.#options.environment.clock.monotonic()
  }
}
