import type { Environment } from '../../base/environment.js'
import { ClosedError, CompactedError, FutureRevisionError, type StorageError, UnusableStoreError } from '../errors.js'
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
import { CommitQueue } from './commit-queue.js'
import { HistoryWindow } from './history-window.js'
import { LeaseTable } from './lease-table.js'
import type { Counters, Medium } from './medium.js'
import { entryAt, readRange } from './range-reader.js'
import { WatchHub } from './watch-hub.js'

export interface LocalStoreOptions {
  readonly environment: Environment
  readonly medium: Medium
  /** How long history is kept, in milliseconds. */
  readonly historyWindow: number
  readonly defer: (start: () => void) => void
}

/** Five minutes, as upstream's API server configures etcd. */
export const defaultHistoryWindow = 5 * 60_000

/** A store in this process, over any medium. */
export class LocalStore implements Store {
  readonly #medium: Medium
  readonly #environment: Environment
  readonly #queue: CommitQueue
  readonly #hub: WatchHub
  readonly #leases: LeaseTable
  readonly #window: HistoryWindow
  #closing: Promise<void> | undefined
  #lost: UnusableStoreError | undefined

  constructor({ environment, medium, historyWindow, defer }: LocalStoreOptions) {
    const { clock } = environment
    this.#environment = environment
    this.#medium = medium
    this.#hub = new WatchHub(medium, clock)
    this.#leases = new LeaseTable(medium.leases(), clock, (id) => this.#expireLease(id))
    this.#queue = new CommitQueue({
      medium,
      defer,
      leases: this.#leases,
      committed: (batch) => {
        this.#leases.committed(batch)
        this.#hub.publish(batch.changes)
      },
      failed: (error) => this.#failed(error),
    })
    this.#window = new HistoryWindow({
      clock,
      milliseconds: historyWindow,
      revision: () => medium.counters.revision,
      forget: (revision) => this.#forget(revision),
    })
    this.#queue.sweep()
  }

  /** The current, oldest and swept revision. */
  get counters(): Counters {
    return this.#medium.counters
  }

  async get(key: string, options: ReadOptions = {}): Promise<GetResult> {
    checkKey(key)
    checkRead(options)
    const revision = this.#readable(options)
    return { revision, entry: entryAt(this.#medium.view, key, revision) }
  }

  async range(query: RangeQuery): Promise<RangeResult> {
    checkRange(query)
    const revision = this.#readable(query)
    const { entries, count } = await readRange(this.#medium.view, () => this.#medium.snapshot(), query, revision)
    return { revision, entries, count, more: !query.countOnly && count > entries.length }
  }

  /** Not `async`: the caller would resume some microtasks later. */
  transact(transaction: Transaction): Promise<TransactionResult> {
    try {
      checkTransaction(transaction)
    } catch (error) {
      return Promise.reject(error)
    }
    return this.#queue.add((batch) => batch.transact(transaction))
  }

  watch(query: WatchQuery): AsyncIterable<WatchBatch> {
    return this.#hub.watch(query)
  }

  async compact(revision: number): Promise<void> {
    checkRevision(revision)
    return this.#queue.add((batch) => batch.compact(revision))
  }

  async grantLease(seconds: number): Promise<GrantedLease> {
    checkLeaseSeconds(seconds)
    const id = this.#newLeaseId()
    await this.#queue.add((batch) => batch.grantLease(id, seconds))
    return { id, seconds }
  }

  async keepLeaseAlive(id: LeaseId): Promise<GrantedLease> {
    this.#checkOpen()
    return this.#leases.keepAlive(id)
  }

  async revokeLease(id: LeaseId): Promise<void> {
    return this.#queue.add((batch) => batch.revokeLease(id))
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#window.close()
    await this.#queue.close()
    this.#leases.close()
    this.#hub.close(new ClosedError())
    await this.#medium.close()
  }

  #checkOpen(): void {
    if (this.#closing) throw new ClosedError()
    if (this.#lost) throw this.#lost
  }

  /** Also fails reads if another process has taken over the store: they could be stale. */
  #failed(error: StorageError): void {
    if (!(error instanceof UnusableStoreError)) return
    this.#lost = error
    this.#hub.close(error)
  }

  /** Returns the revision to read at: the current one, or an older one that is still kept. */
  #readable({ revision }: ReadOptions): number {
    this.#checkOpen()
    const { revision: newest, oldest } = this.#medium.counters
    if (revision === undefined) return newest
    if (revision > newest) throw new FutureRevisionError(revision, newest)
    if (revision < oldest) throw new CompactedError(revision, oldest)
    return revision
  }

  #newLeaseId(): LeaseId {
    const bytes = this.#environment.random.bytes(8)
    const id = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0) & 0x7fff_ffff_ffff_ffffn
    return id === 0n || this.#leases.has(id.toString()) ? this.#newLeaseId() : id.toString()
  }

  async #expireLease(id: LeaseId): Promise<void> {
    await this.revokeLease(id)
  }

  #forget(revision: number): void {
    if (revision <= this.#medium.counters.oldest) return
    this.compact(revision).catch((error: unknown) =>
      this.#environment.log.warn('compaction failed', { revision, error }),
    )
  }
}
