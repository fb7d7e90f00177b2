import { UnusableStoreError } from '../../storage/errors.js'
import type {
  GetResult,
  GrantedLease,
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
import type { DecryptedValue } from './providers.js'

const pageSize = 500

/** A store that encrypts the values of some keys in another store, and decrypts them for its callers. */
export class EncryptedStore implements Store {
  readonly #store: Store
  readonly #rules: readonly EncryptionRule[]

  constructor(store: Store, rules: readonly EncryptionRule[]) {
    this.#store = store
    this.#rules = rules
  }

  async get(key: string, options?: ReadOptions): Promise<GetResult> {
    const { revision, entry } = await this.#store.get(key, options)
    return { revision, entry: entry && this.#decryptedEntry(entry) }
  }

  async range(query: RangeQuery): Promise<RangeResult> {
    const result = await this.#store.range(query)
    return { ...result, entries: result.entries.map((entry) => this.#decryptedEntry(entry)) }
  }

  async transact({ compare, changes }: Transaction): Promise<TransactionResult> {
    const encrypted = changes.map((change) => this.#encryptedChange(change))
    const result = await this.#store.transact({ ...(compare && { compare }), changes: encrypted })
    if (result.succeeded) return result
    return { ...result, current: result.current.map((entry) => this.#decryptedEntry(entry)) }
  }

  async *watch(query: WatchQuery): AsyncIterable<WatchBatch> {
    for await (const { revision, events } of this.#store.watch(query))
      yield { revision, events: events.map((event) => this.#decryptedEvent(event)) }
  }

  compact(revision: number): Promise<void> {
    return this.#store.compact(revision)
  }

  grantLease(seconds: number): Promise<GrantedLease> {
    return this.#store.grantLease(seconds)
  }

  keepLeaseAlive(id: string): Promise<GrantedLease> {
    return this.#store.keepLeaseAlive(id)
  }

  revokeLease(id: string): Promise<void> {
    return this.#store.revokeLease(id)
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  /**
   * Rewrites each value that the present configuration would encrypt differently. Returns how many. A value that changes meanwhile needs no
   * rewrite: the change has already encrypted it.
   */
  async rewriteOutdated(): Promise<number> {
    let rewritten = 0
    let after: string | undefined
    for (;;) {
      const page = await this.#store.range({
        prefix: '/registry/',
        limit: pageSize,
        ...(after !== undefined && { after }),
      })
      for (const entry of page.entries) if (await this.#rewrite(entry)) rewritten++
      after = page.entries.at(-1)?.key
      if (!page.more || after === undefined) return rewritten
    }
  }

  async #rewrite(entry: StoreEntry): Promise<boolean> {
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

  #encryptedChange(change: StoreChange): StoreChange {
    const rule = this.#ruleFor(change.key)
    if (!rule || change.type === 'delete') return change
    return { ...change, value: rule.providers[0]!.encrypt(change.value, change.key) }
  }

  #decryptedEntry(entry: StoreEntry): StoreEntry {
    const decrypted = this.#decrypted(entry)
    return decrypted ? { ...entry, value: decrypted.value } : entry
  }

  #decryptedEvent(event: StoreEvent): StoreEvent {
    const previous = event.previous && { previous: this.#decryptedEntry(event.previous) }
    return event.type === 'delete'
      ? { ...event, ...previous }
      : { ...event, entry: this.#decryptedEntry(event.entry), ...previous }
  }

  /** Returns undefined if no rule covers the key. */
  #decrypted({ key, value }: StoreEntry): DecryptedValue | undefined {
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
    throw unreadable(key) // the errors of ciphers do not help an administrator
  }
}

function unreadable(key: string): UnusableStoreError {
  return new UnusableStoreError(
    `what is stored at ${key} cannot be decrypted; name the provider and key that it was encrypted with in the encryption configuration`,
  )
}
