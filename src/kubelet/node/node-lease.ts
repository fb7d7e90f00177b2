import { Lease } from '../../api/coordination/v1/lease.js'
import type { Node } from '../../api/core/v1/node.js'
import { hasReason } from '../../api/errors.js'
import { Backoff } from '../../base/backoff.js'
import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import type { ResourceClient } from '../../client/resource-client.js'
import { withStallTimeout } from '../../client/stall-timeout.js'
import { formatMicroTime } from '../../schema/values/time.js'

const namespace = 'kube-node-lease'
/** Upstream's values. Times are milliseconds. */
const maxTries = 5
const retries = { initial: 200, max: 7000 }
const jitter = 0.04

export interface NodeLeaseDependencies {
  readonly environment: Environment
  readonly client: Client
  /** Returns the Node, which owns the Lease. */
  readonly node: () => Node | undefined
  readonly nodeName: string
  /** Seconds. Defaults to 40. The Lease is renewed four times in that period. */
  readonly duration?: number | undefined
}

/** The node's heartbeat: a Lease that is renewed. Writes the last known Lease without reading it, because no other component writes it. */
export class NodeLease {
  readonly #dependencies: NodeLeaseDependencies
  readonly #leases: ResourceClient<Lease>
  readonly #duration: number
  #latest: Lease | undefined

  constructor(dependencies: NodeLeaseDependencies) {
    this.#dependencies = dependencies
    this.#leases = dependencies.client.resource(Lease).in(namespace)
    this.#duration = dependencies.duration ?? 40
  }

  /** Renews the Lease until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#dependencies.environment
    const interval = (1000 * this.#duration) / 4
    while (!signal.aborted) {
      await this.#renewPersistently(signal)
      await sleep(clock, interval * (1 + jitter * random.float()), signal).catch(() => {}) // the loop checks the signal
    }
  }

  /** Retries conflicts at once a few times, then with back-off. */
  async #renewPersistently(signal: AbortSignal): Promise<void> {
    const { environment } = this.#dependencies
    const backoff = new Backoff(environment, retries)
    for (let tries = 1; !signal.aborted; tries++) {
      try {
        this.#latest = await this.#renew(signal)
        return
      } catch (error) {
        if (signal.aborted) return
        this.#latest = undefined // read it again
        environment.log.warn('node lease renewal failed', { error, tries })
        if (tries >= maxTries || !hasReason(error, 'Conflict'))
          await sleep(environment.clock, backoff.next(), signal).catch(() => {}) // the loop checks the signal
      }
    }
  }

  async #renew(signal: AbortSignal): Promise<Lease> {
    const known = this.#latest ?? (await this.#read(signal))
    const lease = this.#next(known)
    return this.#request(signal, (options) =>
      known ? this.#leases.update(lease, options) : this.#leases.create(lease, options),
    )
  }

  async #read(signal: AbortSignal): Promise<Lease | undefined> {
    try {
      return await this.#request(signal, (options) => this.#leases.get(this.#dependencies.nodeName, options))
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined
      throw error
    }
  }

  #next(known: Lease | undefined) {
    const { nodeName, environment, node } = this.#dependencies
    const renewTime = formatMicroTime(environment.clock.now())
    const owner = ownerOf(node())
    if (known) {
      const ownerReferences = known.metadata.ownerReferences?.length ? known.metadata.ownerReferences : owner
      return { ...known, metadata: { ...known.metadata, ownerReferences }, spec: { ...known.spec, renewTime } }
    }
    const spec = { holderIdentity: nodeName, leaseDurationSeconds: this.#duration, renewTime }
    return { metadata: { name: nodeName, namespace, ownerReferences: owner }, spec }
  }

  /** Limits each request to a quarter of the lease duration. */
  #request(
    signal: AbortSignal,
    request: (options: { readonly signal: AbortSignal; readonly retries: 0 }) => Promise<Lease>,
  ): Promise<Lease> {
    const { clock } = this.#dependencies.environment
    const timeout = () => (1000 * this.#duration) / 4
    return withStallTimeout((options) => request({ signal: options, retries: 0 }), { clock, signal, limit: timeout })
  }
}

/** The Lease is deleted with its Node. */
function ownerOf(node: Node | undefined) {
  const { name, uid } = node?.metadata ?? {}
  return name && uid ? [{ apiVersion: 'v1', kind: 'Node', name, uid }] : []
}
