import { compareUtf8 } from '../engine/batch.js'
import type {
  Counters,
  KeyState,
  LoggedChange,
  Medium,
  SnapshotView,
  StoredLease,
  View,
  WriteSet,
} from '../engine/medium.js'
import type { LeaseId, StoreEntry } from '../store.js'
import { SortedMap } from './sorted-map.js'

/** Stores everything in maps that can be copied in constant time. */
export class MemoryMedium implements Medium {
  counters: Counters
  #view: MemoryView
  readonly #leases: Map<string, number>

  constructor(from?: MemoryMedium) {
    this.counters = from ? from.counters : { revision: 1, oldest: 1, swept: 1 }
    this.#view = from ? from.snapshot() : MemoryView.empty()
    this.#leases = new Map(from ? from.#leases : [])
  }

  get view(): View {
    return this.#view
  }

  snapshot(): MemoryView {
    return this.#view.copy()
  }

  *leases(): Iterable<StoredLease> {
    for (const [id, seconds] of this.#leases) yield { id, seconds, keys: this.#view.keysUnder(id) }
  }

  async commit(writes: WriteSet): Promise<void> {
    this.#view.write(writes)
    for (const [id, seconds] of writes.grantedLeases) this.#leases.set(id, seconds)
    for (const id of writes.revokedLeases) this.#leases.delete(id)
    this.counters = writes.counters
  }

  async close(): Promise<void> {}
}

class MemoryView implements SnapshotView {
  readonly #keys: SortedMap<string, KeyState>
  /** By revision. A swept change leaves an empty slot. */
  readonly #log: SortedMap<number, readonly (LoggedChange | undefined)[]>
  /** `id key` for each key that has a lease. */
  readonly #leased: SortedMap<string, string>

  private constructor(
    keys: SortedMap<string, KeyState>,
    log: SortedMap<number, readonly (LoggedChange | undefined)[]>,
    leased: SortedMap<string, string>,
  ) {
    this.#keys = keys
    this.#log = log
    this.#leased = leased
  }

  static empty(): MemoryView {
    return new MemoryView(new SortedMap(compareUtf8), new SortedMap((a, b) => a - b), new SortedMap(compareUtf8))
  }

  copy(): MemoryView {
    return new MemoryView(this.#keys.copy(), this.#log.copy(), this.#leased.copy())
  }

  keysUnder(id: LeaseId): string[] {
    const keys: string[] = []
    for (const [name, key] of this.#leased.from(`${id} `)) {
      if (!name.startsWith(`${id} `)) break
      keys.push(key)
    }
    return keys
  }

  state(key: string): KeyState | undefined {
    return this.#keys.get(key)
  }

  change(revision: number, index: number): LoggedChange | undefined {
    return this.#log.get(revision)?.[index]
  }

  outline(revision: number, index: number): LoggedChange | undefined {
    return this.change(revision, index)
  }

  entry(_key: string, { modRevision, index }: KeyState): StoreEntry | undefined {
    return this.change(modRevision, index)?.entry
  }

  visitKeys(prefix: string, after: string | undefined, visit: (key: string, newest: KeyState) => boolean): boolean {
    const start = after !== undefined && compareUtf8(after, prefix) > 0 ? after : prefix
    for (const [key, state] of this.#keys.from(start)) {
      if (key === after) continue
      if (!key.startsWith(prefix)) return true
      if (!visit(key, state)) return false
    }
    return true
  }

  write({ changes, states, previousLeases, sweptChanges, sweptKeys }: WriteSet): void {
    for (const [key, id] of previousLeases) this.#leased.delete(`${id} ${key}`)
    for (const [key, { lease }] of states) if (lease !== undefined) this.#leased.set(`${lease} ${key}`, key)
    for (let from = 0, to = 0; from < changes.length; from = to) {
      while (!changes[to++]!.last);
      this.#log.set(changes[from]!.modRevision, changes.slice(from, to))
    }
    for (const [key, state] of states) this.#keys.set(key, state)
    for (const { revision, index } of sweptChanges) this.#sweep(revision, index)
    for (const key of sweptKeys) this.#keys.delete(key)
  }

  #sweep(revision: number, index: number): void {
    const left = this.#log.get(revision)?.with(index, undefined)
    if (!left) return
    if (left.some((change) => change !== undefined)) this.#log.set(revision, left)
    else this.#log.delete(revision)
  }

  release(): void {}
}
