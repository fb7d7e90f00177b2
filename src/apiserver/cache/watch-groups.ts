import { directoryLength, isBelow } from './key-prefix.js'
import type { ChangeEvent, CollectionWatch, FieldMatch } from './object-store.js'
import type { RecentEvents } from './recent-events.js'

export interface WatchGroupMember {
  /** News for all who have been told everything, and wait for more. */
  receive(batch: readonly ChangeEvent[]): void
  end(): void
}

/** Everyone who watches the same. What one of them is told is made once for all. */
export class WatchGroup {
  readonly members = new Set<WatchGroupMember>()
  readonly #recent: RecentEvents
  readonly #isWanted: (event: ChangeEvent) => boolean
  #fresh: ChangeEvent[] = []
  /** What those were told who came to ask since the last event, by how far they had been. */
  #batches = new Map<number, readonly ChangeEvent[]>()

  constructor(recent: RecentEvents, isWanted: (event: ChangeEvent) => boolean) {
    this.#recent = recent
    this.#isWanted = isWanted
  }

  /** Whether it is the first since the last delivery. */
  add(event: ChangeEvent): boolean {
    return this.#fresh.push(event) === 1
  }

  deliver(): void {
    const batch = this.#fresh
    this.#fresh = []
    if (this.#batches.size > 0) this.#batches = new Map() // one that is cleared would hold on to what was in it (docs/decisions/014)
    for (const watcher of this.members) watcher.receive(batch)
  }

  since(revision: number): readonly ChangeEvent[] {
    let batch = this.#batches.get(revision)
    if (!batch) {
      batch = this.#recent.since(revision, this.#isWanted)
      this.#batches.set(revision, batch)
    }
    return batch
  }
}

/** Those who watch below one prefix. */
interface PrefixGroups {
  whole: WatchGroup | undefined
  /** By field: how it is read, and who watches which value of it. */
  readonly parts: Map<string, { readonly read: FieldMatch['read']; readonly byValue: Map<string, WatchGroup> }>
}

/** All who watch a collection, found by what an event is about: most watch all of it, many a namespace, an object or a part. */
export class WatchGroups {
  readonly #recent: RecentEvents
  /** As long as the prefix of the collection: the shortest that anyone watches. */
  readonly #shortest: number
  readonly #places = new Map<string, PrefixGroups>()
  /** Those for whom there is something since the last delivery. */
  #concerned: WatchGroup[] = []

  constructor(prefix: string, recent: RecentEvents) {
    this.#shortest = prefix.length
    this.#recent = recent
  }

  group({ prefix, fieldMatch: part }: CollectionWatch): WatchGroup {
    const place = this.#place(prefix)
    if (part) return this.#part(place, prefix, part)
    place.whole ??= new WatchGroup(this.#recent, ({ object }) => isBelow(object.key, prefix))
    return place.whole
  }

  #place(prefix: string): PrefixGroups {
    let place = this.#places.get(prefix)
    if (!place) {
      place = { whole: undefined, parts: new Map() }
      this.#places.set(prefix, place)
    }
    return place
  }

  #part({ parts }: PrefixGroups, prefix: string, { field, value, read }: FieldMatch): WatchGroup {
    let part = parts.get(field)
    if (!part) {
      part = { read, byValue: new Map() }
      parts.set(field, part)
    }
    let group = part.byValue.get(value)
    if (!group) {
      group = new WatchGroup(
        this.#recent,
        (event) => isBelow(event.object.key, prefix) && valuesOf(event, read).includes(value),
      )
      part.byValue.set(value, group)
    }
    return group
  }

  /** Nobody may be left in it. */
  remove({ prefix, fieldMatch: part }: CollectionWatch): void {
    const place = this.#places.get(prefix)
    if (!place) return
    if (!part) place.whole = undefined
    else {
      const byValue = place.parts.get(part.field)?.byValue
      byValue?.delete(part.value)
      if (byValue?.size === 0) place.parts.delete(part.field)
    }
    if (!place.whole && place.parts.size === 0) this.#places.delete(prefix)
  }

  /** Those whom the event concerns hear of it at the next delivery. */
  add(event: ChangeEvent): void {
    if (this.#places.size === 0) return
    const { key } = event.object
    for (let length = this.#shortest; length > 0; length = directoryLength(key, length + 1))
      this.#addTo(this.#places.get(key.slice(0, length)), event)
    this.#addTo(this.#places.get(key), event)
  }

  #addTo(place: PrefixGroups | undefined, event: ChangeEvent): void {
    if (!place) return
    if (place.whole?.add(event)) this.#concerned.push(place.whole)
    for (const { read, byValue } of place.parts.values())
      for (const value of valuesOf(event, read)) {
        const group = byValue.get(value)
        if (group?.add(event)) this.#concerned.push(group)
      }
  }

  deliver(): void {
    if (this.#concerned.length === 0) return
    const concerned = this.#concerned
    this.#concerned = []
    for (const group of concerned) group.deliver()
  }

  /** Ends every watch. */
  end(): void {
    for (const { whole, parts } of [...this.#places.values()]) {
      const groups = [...parts.values()].flatMap(({ byValue }) => [...byValue.values()])
      for (const { members } of whole ? [whole, ...groups] : groups) for (const watcher of [...members]) watcher.end()
    }
  }
}

/** What the field is and was: a change concerns both those who see the object come and those who see it go. */
function valuesOf(event: ChangeEvent, read: FieldMatch['read']): readonly string[] {
  const value = read(event.object.object)
  if (event.type === 'delete' || !event.previous) return [value]
  const previous = read(event.previous.object)
  return previous === value ? [value] : [value, previous]
}
