import type { Entry, RangeQuery } from '../store.js'
import type { HeldView, KeyState, View } from './medium.js'

/** What a key was at a revision, found by following its chain of changes back from the newest. */
export function entryAt(view: View, key: string, revision: number): Entry | undefined {
  const state = view.state(key)
  return state && entryOf(view, state, revision)
}

function entryOf(view: View, state: KeyState, revision: number): Entry | undefined {
  const position = positionAt(view, state, revision)
  return position && view.change(position.modRevision, position.index)?.entry
}

/**
 * The newest state of a key that is not newer than the revision; undefined when the key did not exist then. A change that the
 * chain leads to but the log no longer has was a deletion: anything else would still be needed.
 */
function positionAt(view: View, newest: KeyState, revision: number): KeyState | undefined {
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

export interface Found {
  readonly entries: Entry[]
  readonly count: number
}

/** A range looks at so many keys before it lets others have their turn. */
const keysPerTurn = 5000

/** The entries of a range as of a revision, and how many there are in all. Short ranges take one turn. */
export function readRange(
  view: View,
  hold: () => HeldView,
  query: RangeQuery,
  revision: number,
): Found | Promise<Found> {
  const reader = new RangeReader(query, revision)
  const keys = view.keys(query.prefix, query.after)
  if (reader.read(view, keys, keysPerTurn)) return reader
  keys.return?.()
  return readOn(reader, hold(), query.prefix)
}

async function readOn(reader: RangeReader, view: HeldView, prefix: string): Promise<Found> {
  try {
    const keys = view.keys(prefix, reader.last)
    do await new Promise<void>((resolve) => setImmediate(resolve))
    while (!reader.read(view, keys, keysPerTurn))
    return reader
  } finally {
    view.release()
  }
}

class RangeReader implements Found {
  readonly entries: Entry[] = []
  count = 0
  last: string | undefined
  readonly #limit: number
  readonly #revision: number

  constructor({ limit = Infinity, countOnly }: RangeQuery, revision: number) {
    this.#limit = countOnly ? 0 : limit
    this.#revision = revision
  }

  /** Reads so many keys on; whether the end is reached. */
  read(view: View, keys: Iterator<readonly [string, KeyState]>, most: number): boolean {
    for (let looked = 0; looked < most; looked++) {
      const next = keys.next()
      if (next.done) return true
      const [key, newest] = next.value
      this.last = key
      const state = positionAt(view, newest, this.#revision)
      if (!state) continue
      this.count++
      if (this.entries.length >= this.#limit) continue
      const entry = view.change(state.modRevision, state.index)?.entry
      if (entry) this.entries.push(entry)
    }
    return false
  }
}
