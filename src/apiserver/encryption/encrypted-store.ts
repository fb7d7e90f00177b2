import { UnusableStoreError } from '../../storage/errors.js'
import type {
  GetResult,
  Lease,
  RangeQuery,
  RangeResult,
  ReadOptions,
  Store,
  StoreChange,
  StoreEntry,
  StoreEvent,
  Transaction,
  TransactionResult,
  WatchBatch,
  WatchQuery,
} from '../../storage/store.js'
import type { EncryptionRule } from './configuration.js'
import type { Decrypted } from './providers.js'

const pageSize = 500

/** A store in which the values of some keys are encrypted; to whoever uses it they are as they were put. */
export class EncryptedStore implements Store {
  readonly #store: Store
  readonly #rules: readonly EncryptionRule[]

  constructor(store: Store, rules: readonly EncryptionRule[]) {
    this.#store = store
    this.#rules = rules
  }

  async get(key: string, options?: ReadOptions): Promise<GetResult> {
    const { revision, entry } = await this.#store.get(key, options)
    return { revision, entry: entry && this.#opened(entry) }
  }

  async range(query: RangeQuery): Promise<RangeResult> {
    const result = await this.#store.range(query)
    return { ...result, entries: result.entries.map((entry) => this.#opened(entry)) }
  }

  async transact({ compare, changes }: Transaction): Promise<TransactionResult> {
    const sealed = changes.map((change) => this.#sealed(change))
    const result = await this.#store.transact({ ...(compare && { compare }), changes: sealed })
    if (result.succeeded) return result
    return { ...result, current: result.current.map((entry) => this.#opened(entry)) }
  }

  async *watch(query: WatchQuery): AsyncIterable<WatchBatch> {
    for await (const { revision, events } of this.#store.watch(query))
      yield { revision, events: events.map((event) => this.#openedEvent(event)) }
  }

  compact(revision: number): Promise<void> {
    return this.#store.compact(revision)
  }

  grantLease(seconds: number): Promise<Lease> {
    return this.#store.grantLease(seconds)
  }

  keepLeaseAlive(id: string): Promise<Lease> {
    return this.#store.keepLeaseAlive(id)
  }

  revokeLease(id: string): Promise<void> {
    return this.#store.revokeLease(id)
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  /** Writes anew what would be stored in another way today, and tells how much that was. What somebody else changes meanwhile is new by that. */
  async renew(): Promise<number> {
    let renewed = 0
    let after: string | undefined
    for (;;) {
      const page = await this.#store.range({
        prefix: '/registry/',
        limit: pageSize,
        ...(after !== undefined && { after }),
      })
      for (const entry of page.entries) if (await this.#renewed(entry)) renewed++
      after = page.entries.at(-1)?.key
      if (!page.more || after === undefined) return renewed
    }
  }

  async #renewed(entry: StoreEntry): Promise<boolean> {
    const { key, modRevision, lease } = entry
    const { value, isCurrent } = this.#decrypted(entry) ?? { value: entry.value, isCurrent: true }
    if (isCurrent) return false
    const compare = [{ key, modRevision }]
    const { succeeded } = await this.transact({
      compare,
      changes: [{ type: 'put', key, value, ...(lease && { lease }) }],
    })
    return succeeded
  }

  #ruleFor(key: string): EncryptionRule | undefined {
    return this.#rules.find((rule) => rule.covers(key))
  }

  #sealed(change: StoreChange): StoreChange {
    const rule = this.#ruleFor(change.key)
    if (!rule || change.type === 'delete') return change
    return { ...change, value: rule.providers[0]!.encrypt(change.value, change.key) }
  }

  #opened(entry: StoreEntry): StoreEntry {
    const decrypted = this.#decrypted(entry)
    return decrypted ? { ...entry, value: decrypted.value } : entry
  }

  #openedEvent(event: StoreEvent): StoreEvent {
    const previous = event.previous && { previous: this.#opened(event.previous) }
    return event.type === 'delete'
      ? { ...event, ...previous }
      : { ...event, entry: this.#opened(event.entry), ...previous }
  }

  /** Undefined where nothing is said about such keys. */
  #decrypted({ key, value }: StoreEntry): Decrypted | undefined {
    const rule = this.#ruleFor(key)
    if (!rule || value.length === 0) return undefined
    for (const [index, provider] of rule.providers.entries()) {
      const found = attempt(() => provider.decrypt(value, key), key)
      if (found) return { value: found.value, isCurrent: found.isCurrent && index === 0 }
    }
    throw unreadable(key)
  }
}

function attempt<T>(decrypt: () => T, key: string): T {
  try {
    return decrypt()
  } catch {
    throw unreadable(key) // what a cipher says is of no use to a person
  }
}

function unreadable(key: string): UnusableStoreError {
  return new UnusableStoreError(
    `what is stored at ${key} cannot be decrypted; name the provider and key that it was encrypted with in the encryption configuration`,
  )
}
