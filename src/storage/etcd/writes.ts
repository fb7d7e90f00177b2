import { FutureRevisionError, InvalidRequestError, LeaseNotFoundError, NoSpaceError, TooLargeError } from '../errors.js'
import { maximumValueBytes, type StoreChange, type Transaction, type TransactionResult } from '../store.js'
import { RejectedCallError } from './call-errors.js'
import type { EtcdCluster } from './cluster.js'
import type { KeySpace } from './key-space.js'
import { checkLeaseId } from './leases.js'
import { compactMethod } from './messages/maintenance.js'
import type { EtcdMethod } from './messages/method.js'
import { encodeTransaction, transactionMethod } from './messages/transaction.js'
import type { EtcdReads } from './reads.js'

/** Transactions, which are never sent twice, and compaction, which may be. */
export class EtcdWrites {
  readonly #cluster: EtcdCluster
  readonly #keySpace: KeySpace
  readonly #reads: EtcdReads
  readonly #method: EtcdMethod<Transaction, TransactionResult>

  constructor(cluster: EtcdCluster, keySpace: KeySpace, reads: EtcdReads) {
    this.#cluster = cluster
    this.#keySpace = keySpace
    this.#reads = reads
    this.#method = transactionMethod(keySpace)
  }

  async transact(transaction: Transaction): Promise<TransactionResult> {
    for (const change of transaction.changes)
      if (change.type === 'put' && change.lease !== undefined) checkLeaseId(change.lease)
    try {
      return await this.#cluster.write(this.#method, transaction)
    } catch (error) {
      throw error instanceof RejectedCallError ? this.#rejected(transaction, error) : error
    }
  }

  async compact(revision: number): Promise<void> {
    try {
      await this.#cluster.read(compactMethod, revision)
    } catch (error) {
      if (!(error instanceof RejectedCallError)) throw error
      if (error.reason === 'future') throw new FutureRevisionError(revision, await this.#reads.currentRevision())
      if (error.reason !== 'compacted') throw error
    }
  }

  #rejected(transaction: Transaction, rejection: RejectedCallError): Error {
    switch (rejection.reason) {
      case 'space':
        return new NoSpaceError(`etcd has no space left: ${rejection.message}`)
      case 'lease':
        return new LeaseNotFoundError(leasesOf(transaction).join(' or '))
      case 'large':
        return this.#tooLarge(transaction)
      default:
        return new InvalidRequestError(rejection.message)
    }
  }

  /**
   * etcd limits the size of the whole request. If one value is the cause, the error names it and the room that etcd's default leaves it.
   */
  #tooLarge(transaction: Transaction): Error {
    const { length } = encodeTransaction(transaction, this.#keySpace)
    const largest = transaction.changes.reduce((a, b) => (valueBytes(b) > valueBytes(a) ? b : a))
    const others = length - valueBytes(largest)
    if (valueBytes(largest) > others)
      return new TooLargeError(largest.key, valueBytes(largest), maximumValueBytes - others)
    return new InvalidRequestError(`etcd takes no transaction of ${length} bytes`)
  }
}

function leasesOf({ changes }: Transaction): string[] {
  return [...new Set(changes.flatMap((change) => (change.type === 'put' && change.lease) || []))]
}

function valueBytes(change: StoreChange): number {
  return change.type === 'put' ? change.value.length : 0
}
