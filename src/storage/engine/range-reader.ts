import type { MaybePromise } from '../../base/maybe-promise.js'
import type { RangeQuery, StoreEntry } from '../store.js'
import type { KeyState, SnapshotView, View } from './medium.js'

/** What a key was at a revision, found by following its chain of changes back from the newest. */
export function entryAt(view: View, key: string, revision: number): StoreEntry | undefined {
  const newest = view.state(key)
  const state = newest && stateAt(view, newest, revision)
  return state && view.entry(key, state)
}

/**
 * The newest state of a key that is not newer than the revision; undefined when the key did not exist then. A change that the
 * chain leads to but the log no longer has was a deletion: anything else would still be needed.
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

/** A range looks at so many keys before it lets others have their turn. */
const keysPerTurn = 5000

/** The entries of a range as of a revision, and how many there are in all. Short ranges take one turn. */
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

  /** Takes one turn; whether the end is reached. */
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
