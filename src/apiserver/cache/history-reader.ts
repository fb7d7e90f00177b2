import { CompactedError } from '../../storage/errors.js'
import type { Store, StoreEntry, StoreEvent, WatchBatch } from '../../storage/store.js'
import type { LazyCachedObject } from './cached-object.js'
import { isBelow } from './key-prefix.js'
import type { ChangeEvent, CollectionWatch } from './object-store.js'

/** Makes an object of what is stored; the one that is kept, if it is of that revision. */
export type ToCachedObject = (entry: StoreEntry) => LazyCachedObject

/** The store tells soon how far it is when it has nothing else to tell: only then is it known that history is read. */
const progressInterval = 5

export interface HistoryBatch {
  readonly events: readonly ChangeEvent[]
  /** Everything up to this revision has been told. */
  readonly revision: number
}

/** Reads events from the store's own history. */
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

  /** Undefined if the watch was ended. */
  async read(): Promise<HistoryBatch | undefined> {
    const { done, value } = await this.#batches.next()
    if (done) return undefined
    const events: ChangeEvent[] = []
    for (const event of value.events) {
      const key = event.type === 'put' ? event.entry.key : event.key
      if (isBelow(key, this.#query.prefix)) events.push(this.#convert(event))
    }
    return { events, revision: value.revision }
  }

  close(): void {
    void this.#batches.return?.()
  }

  /**
   * What a change replaced is part of what it means to a watch. The store may lack it for changes of the oldest revision that it
   * keeps: then the past is gone as if that revision were.
   */
  #convert(event: StoreEvent): ChangeEvent {
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
