import type { Environment } from '../../base/environment.js'
import { ClosedError, InvalidRequestError } from '../errors.js'
import { checkKey, checkLeaseSeconds, checkRange, checkRead, checkRevision, checkTransaction } from '../request.js'
import type {
  GetResult,
  GrantedLease,
  LeaseId,
  RangeQuery,
  RangeResult,
  ReadOptions,
  Store,
  Transaction,
  TransactionResult,
  WatchBatch,
  WatchQuery,
} from '../store.js'
import { RejectedCallError } from './call-errors.js'
import { EtcdCluster } from './cluster.js'
import { KeySpace } from './key-space.js'
import { EtcdLeases } from './leases.js'
import { type EtcdStoreOptions, etcdEndpoints } from './options.js'
import { ProcessHold } from './process-hold.js'
import { EtcdReads } from './reads.js'
import { EtcdWatch } from './watch/watch.js'
import { EtcdWrites } from './writes.js'

/** Reads the TLS files, but does not wait for etcd: a store without a reachable etcd rejects with `UnavailableError`. */
export async function openEtcdStore(options: EtcdStoreOptions, environment: Environment): Promise<Store> {
  const { timeout = 5000, heartbeat = 1000 } = options
  const cluster = new EtcdCluster({ endpoints: await etcdEndpoints(options), environment, timeout, heartbeat })
  return new EtcdStore(cluster, options, environment)
}

class EtcdStore implements Store {
  readonly #cluster: EtcdCluster
  readonly #options: EtcdStoreOptions
  readonly #environment: Environment
  readonly #keySpace: KeySpace
  readonly #reads: EtcdReads
  readonly #writes: EtcdWrites
  readonly #leases: EtcdLeases
  readonly #pending = new Set<Promise<unknown>>()
  readonly #watches = new Set<EtcdWatch>()
  readonly #hold = new ProcessHold()
  #closing: Promise<void> | undefined

  constructor(cluster: EtcdCluster, options: EtcdStoreOptions, environment: Environment) {
    this.#cluster = cluster
    this.#options = options
    this.#environment = environment
    this.#keySpace = new KeySpace(options.prefix ?? '/registry')
    this.#reads = new EtcdReads(cluster, this.#keySpace)
    this.#writes = new EtcdWrites(cluster, this.#keySpace, this.#reads)
    this.#leases = new EtcdLeases(cluster, this.#reads)
  }

  get(key: string, options: ReadOptions = {}): Promise<GetResult> {
    return this.#run(() => {
      checkKey(key)
      checkRead(options)
      return this.#reads.get(key, options.revision)
    })
  }

  range(query: RangeQuery): Promise<RangeResult> {
    return this.#run(() => {
      checkRange(query)
      return this.#reads.range(query)
    })
  }

  transact(transaction: Transaction): Promise<TransactionResult> {
    return this.#run(() => {
      checkTransaction(transaction)
      return this.#writes.transact(transaction)
    })
  }

  watch(query: WatchQuery): AsyncIterable<WatchBatch> {
    return { [Symbol.asyncIterator]: () => this.#watch(query) }
  }

  compact(revision: number): Promise<void> {
    return this.#run(() => {
      checkRevision(revision)
      return this.#writes.compact(revision)
    })
  }

  grantLease(seconds: number): Promise<GrantedLease> {
    return this.#run(() => {
      checkLeaseSeconds(seconds)
      return this.#leases.grant(seconds)
    })
  }

  keepLeaseAlive(id: LeaseId): Promise<GrantedLease> {
    return this.#run(() => this.#leases.keepAlive(id))
  }

  revokeLease(id: LeaseId): Promise<void> {
    return this.#run(() => this.#leases.revoke(id))
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#pending)
    for (const watch of [...this.#watches]) watch.stop(new ClosedError())
    this.#cluster.close()
    this.#hold.close()
  }

  #watch(query: WatchQuery): EtcdWatch {
    const watch = new EtcdWatch(query, {
      cluster: this.#cluster,
      reads: this.#reads,
      keySpace: this.#keySpace,
      environment: this.#environment,
      bufferBytes: this.#options.watchBufferBytes ?? 4 * 1024 * 1024,
      onEnd: () => {
        this.#watches.delete(watch)
        this.#hold.release()
      },
    })
    if (this.#closing) watch.stop(new ClosedError())
    else {
      this.#watches.add(watch)
      this.#hold.acquire()
      watch.start()
    }
    return watch
  }

  /** Runs every request of the store, so that `close` can wait for it, and converts errors to those of the contract. */
  async #run<Result>(request: () => Promise<Result>): Promise<Result> {
    if (this.#closing) throw new ClosedError()
    const result = request()
    this.#pending.add(result)
    this.#hold.acquire()
    try {
      return await result
    } catch (error) {
      throw error instanceof RejectedCallError ? new InvalidRequestError(error.message) : error
    } finally {
      this.#hold.release()
      this.#pending.delete(result)
    }
  }
}
