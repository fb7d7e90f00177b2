import { LeaseNotFoundError } from '../errors.js'
import type { GrantedLease, LeaseId } from '../store.js'
import { RejectedCallError } from './call-errors.js'
import type { EtcdCluster } from './cluster.js'
import { grantMethod, keepAliveMethod, revokeMethod } from './messages/lease.js'
import type { EtcdReads } from './reads.js'

const largestId = 2n ** 63n - 1n

/** Rejects an id that etcd cannot have granted. */
export function checkLeaseId(id: LeaseId): void {
  if (!/^[1-9][0-9]{0,18}$/.test(id) || BigInt(id) > largestId) throw new LeaseNotFoundError(id)
}

export class EtcdLeases {
  readonly #cluster: EtcdCluster
  readonly #reads: EtcdReads

  constructor(cluster: EtcdCluster, reads: EtcdReads) {
    this.#cluster = cluster
    this.#reads = reads
  }

  grant(seconds: number): Promise<GrantedLease> {
    return this.#cluster.write(grantMethod, seconds)
  }

  async keepAlive(id: LeaseId): Promise<GrantedLease> {
    checkLeaseId(id)
    const lease = await this.#keepAliveOnce(id)
    if (lease.seconds > 0) return lease
    // A former leader responds without asking the other members, and may not know a new lease. After a linearizable read its response is up
    // to date.
    await this.#reads.currentRevision()
    const again = await this.#keepAliveOnce(id)
    if (again.seconds <= 0) throw new LeaseNotFoundError(id)
    return again
  }

  #keepAliveOnce(id: LeaseId): Promise<GrantedLease> {
    return this.#cluster.callOverStream({ method: keepAliveMethod, request: id, isResponse: () => true })
  }

  async revoke(id: LeaseId): Promise<void> {
    checkLeaseId(id)
    try {
      await this.#cluster.write(revokeMethod, id)
    } catch (error) {
      throw error instanceof RejectedCallError && error.reason === 'lease' ? new LeaseNotFoundError(id) : error
    }
  }
}
