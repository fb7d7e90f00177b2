import type { MaybePromise } from '../../base/maybe-promise.js'
import type { RangeQuery, StoreEntry } from '../store.js'
import type { KeyState, SnapshotView, View } from './medium.js'

/** Returns the entry of a key at a revision, by following its chain of changes back from the newest. */
export function entryAt(view: View, key: string, revision: number): StoreEntry | undefined {
  const newest = view.state(key)
  const state = newest && stateAt(view, newest, revision)
  return state && view.entry(key, state)
}

/**
 * Returns the newest state of a key up to the revision; undefined if the key did not exist. A change of the chain that is missing in the
 * log was a deletion: any other change would still be needed.
 */
function stateAt(view: View, newest: KeyState, revision: number): KeyState | undefined {
  let state = newest
  while (state.modRevision > revision) {
    const change = view.outline(state.modRevision, state.index)
    if (!change || change.previousRevision === 0) return undefined
    const previous = view.outline(change.previousRevision, change.previousIndex)
    if (!previous) return undefined
    state = previous
  }
  return state.version === 0 ? undefined : state
}

export interface RangeContents {
  readonly entries: StoreEntry[]
  readonly count: number
}

/** A range visits this many keys before it yields to the event loop. */
const keysPerTurn = 5000

/** Reads the entries of a range at a revision, and counts them. Short ranges are read synchronously. */
export function readRange(
  view: View,
  hold: () => SnapshotView,
  query: RangeQuery,
  revision: number,
): MaybePromise<RangeContents> {
  const reader = new RangeReader(query, revision)
  return reader.read(view) ? reader : readOn(reader, hold())
}

async function readOn(reader: RangeReader, view: SnapshotView): Promise<RangeContents> {
  try {
    do await new Promise<void>((resolve) => setImmediate(resolve))
    while (!reader.read(view))
    return reader
  } finally {
    view.release()
  }
}

class RangeReader implements RangeContents {
  readonly entries: StoreEntry[] = []
  count = 0
  readonly #prefix: string
  readonly #limit: number
  readonly #revision: number
  #last: string | undefined

  constructor({ prefix, after, limit = Infinity, countOnly }: RangeQuery, revision: number) {
    this.#prefix = prefix
    this.#limit = countOnly ? 0 : limit
    this.#revision = revision
    this.#last = after
  }

  /** Reads the next part. Returns whether the end is reached. */
  read(view: View): boolean {
    let left = keysPerTurn
    return view.visitKeys(this.#prefix, this.#last, (key, newest) => {
      if (left-- === 0) return false
      this.#last = key
      this.#visit(view, key, newest)
      return true
    })
  }

  #visit(view: View, key: string, newest: KeyState): void {
    const state = stateAt(view, newest, this.#revision)
    if (!state) return
    this.count++
    if (this.entries.length >= this.#limit) return
    const entry = view.entry(key, state, true)
    if (entry) this.entries.push(entry)
  }
}
