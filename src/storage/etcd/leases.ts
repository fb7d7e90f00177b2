import { LeaseNotFoundError } from '../errors.js'
import type { Lease, LeaseId } from '../store.js'
import type { Cluster } from './cluster.js'
import { Refusal } from './failure.js'
import { grantMethod, keepAliveMethod, revokeMethod } from './lease-message.js'

const largestId = 2n ** 63n - 1n

/** What is no number that etcd could have given out is a lease that does not exist. */
export function checkLeaseId(id: LeaseId): void {
  if (!/^[1-9][0-9]{0,18}$/.test(id) || BigInt(id) > largestId) throw new LeaseNotFoundError(id)
}

export class Leases {
  readonly #cluster: Cluster

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  grant(seconds: number): Promise<Lease> {
    return this.#cluster.write(grantMethod, seconds)
  }

  async keepAlive(id: LeaseId): Promise<Lease> {
    checkLeaseId(id)
    const lease = await this.#cluster.exchange({ method: keepAliveMethod, request: id, isAnswer: () => true })
    if (lease.seconds <= 0) throw new LeaseNotFoundError(id)
    return lease
  }

  async revoke(id: LeaseId): Promise<void> {
    checkLeaseId(id)
    try {
      await this.#cluster.write(revokeMethod, id)
    } catch (error) {
      throw error instanceof Refusal && error.reason === 'lease' ? new LeaseNotFoundError(id) : error
    }
  }
}
