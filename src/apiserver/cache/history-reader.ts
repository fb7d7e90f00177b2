import { CompactedError } from '../../storage/errors.js'
import type { Store, StoreEntry, StoreEvent, WatchBatch } from '../../storage/store.js'
import type { LazyCachedObject } from './cached-object.js'
import { isBelow } from './key-prefix.js'
import type { ChangeEvent, CollectionWatch } from './object-store.js'

/** Returns the object of a store entry: the one in the cache if it has the same revision. */
export type ToCachedObject = (entry: StoreEntry) => LazyCachedObject

/** Milliseconds until the store reports its progress when it has no events: this shows that the history has been read. */
const progressInterval = 5

export interface HistoryBatch {
  readonly events: readonly ChangeEvent[]
  /** All events up to this revision have been read. */
  readonly revision: number
}

/** Reads the events of one watch from the history of the store. */
export class HistoryReader {
  readonly #query: CollectionWatch
  readonly #batches: AsyncIterator<WatchBatch>
  readonly #keep: ToCachedObject

  constructor(store: Store, query: CollectionWatch, { position, keep }: { position: number; keep: ToCachedObject }) {
    const { prefix, signal } = query
    const batches = store.watch({ prefix, revision: position + 1, previous: true, progressInterval, signal })
    this.#query = query
    this.#batches = batches[Symbol.asyncIterator]()
    this.#keep = keep
  }

  /** Returns undefined if the watch has ended. */
  async read(): Promise<HistoryBatch | undefined> {
    const { done, value } = await this.#batches.next()
    if (done) return undefined
    const events: ChangeEvent[] = []
    for (const event of value.events) {
      const key = event.type === 'put' ? event.entry.key : event.key
      if (isBelow(key, this.#query.prefix)) events.push(this.#toChangeEvent(event))
    }
    return { events, revision: value.revision }
  }

  close(): void {
    void this.#batches.return?.()
  }

  /**
   * A watch needs the object that a change replaced. The store may lack it for the oldest revision that it keeps: then the event counts as
   * compacted.
   */
  #toChangeEvent(event: StoreEvent): ChangeEvent {
    const { previous } = event
    if (event.type === 'delete') {
      if (!previous) throw new CompactedError(event.revision, event.revision + 1)
      return { type: 'delete', object: this.#keep(previous).at(event.revision) }
    }
    const { entry } = event
    if (!previous && entry.version > 1) throw new CompactedError(entry.modRevision, entry.modRevision + 1)
    return { type: 'put', object: this.#keep(entry), previous: previous && this.#keep(previous) }
  }
}
