import type { StoreEntry, StoreEvent, Transaction, TransactionResult } from '../../../storage/store.js'

/** The contract in its simplest form: a whole copy of everything for every revision. */
export class NaiveStore {
  oldest: number
  readonly #snapshots: Map<string, StoreEntry>[] = []
  readonly #changes: StoreEvent[][] = []
  readonly #first: number

  constructor(revision: number) {
    this.#first = revision
    this.oldest = revision
    this.#snapshots.push(new Map())
    this.#changes.push([])
  }

  get revision(): number {
    return this.#first + this.#snapshots.length - 1
  }

  get #now(): Map<string, StoreEntry> {
    return this.#snapshots.at(-1)!
  }

  modRevision(key: string): number {
    return this.#now.get(key)?.modRevision ?? 0
  }

  transact({ compare = [], changes }: Transaction): TransactionResult {
    if (compare.some(({ key, modRevision }) => this.modRevision(key) !== modRevision)) {
      const current = compare.flatMap(({ key }) => this.#now.get(key) ?? [])
      return { succeeded: false, revision: this.revision, current }
    }
    const next = new Map(this.#now)
    const events: StoreEvent[] = []
    const revision = this.revision + 1
    for (const change of changes) {
      const { key } = change
      const previous = next.get(key)
      if (change.type === 'delete') {
        if (next.delete(key)) events.push({ type: 'delete', key, revision, ...(previous && { previous }) })
      } else {
        const entry = {
          key,
          value: change.value,
          modRevision: revision,
          createRevision: previous?.createRevision ?? revision,
          version: (previous?.version ?? 0) + 1,
          ...(change.lease && { lease: change.lease }),
        }
        next.set(key, entry)
        events.push({ type: 'put', entry, ...(previous && { previous }) })
      }
    }
    if (events.length > 0) {
      this.#snapshots.push(next)
      this.#changes.push(events)
    }
    return { succeeded: true, revision: this.revision }
  }

  revokeLease(id: string): void {
    const keys = [...this.#now.values()].filter((entry) => entry.lease === id).map((entry) => entry.key)
    if (keys.length > 0) this.transact({ changes: keys.sort(byBytes).map((key) => ({ type: 'delete', key })) })
  }

  range(prefix: string, revision: number): StoreEntry[] {
    const entries = [...this.#snapshots[revision - this.#first]!.values()]
    return entries.filter(({ key }) => key.startsWith(prefix)).sort((a, b) => byBytes(a.key, b.key))
  }

  events(prefix: string, from: number): StoreEvent[] {
    const all = this.#changes.slice(from - this.#first).flat()
    return all.filter((event) => (event.type === 'put' ? event.entry.key : event.key).startsWith(prefix))
  }
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
