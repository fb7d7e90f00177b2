import { directoryLength, isBelow } from './key-prefix.js'
import type { ChangeEvent, CollectionPart, CollectionWatch } from './object-store.js'
import type { RecentEvents } from './recent-events.js'
import { WatchGroup } from './watch-group.js'

/** Those who watch below one prefix. */
interface Place {
  whole: WatchGroup | undefined
  /** By field: how it is read, and who watches which value of it. */
  readonly parts: Map<string, { readonly read: CollectionPart['read']; readonly byValue: Map<string, WatchGroup> }>
}

/** All who watch a collection, found by what an event is about: most watch all of it, many a namespace, an object or a part. */
export class WatchGroups {
  readonly #recent: RecentEvents
  /** As long as the prefix of the collection: the shortest that anyone watches. */
  readonly #shortest: number
  readonly #places = new Map<string, Place>()
  /** Those for whom there is something since the last delivery. */
  #concerned: WatchGroup[] = []

  constructor(prefix: string, recent: RecentEvents) {
    this.#shortest = prefix.length
    this.#recent = recent
  }

  group({ prefix, part }: CollectionWatch): WatchGroup {
    const place = this.#place(prefix)
    if (part) return this.#part(place, prefix, part)
    place.whole ??= new WatchGroup(this.#recent, ({ object }) => isBelow(object.key, prefix))
    return place.whole
  }

  #place(prefix: string): Place {
    let place = this.#places.get(prefix)
    if (!place) {
      place = { whole: undefined, parts: new Map() }
      this.#places.set(prefix, place)
    }
    return place
  }

  #part({ parts }: Place, prefix: string, { field, value, read }: CollectionPart): WatchGroup {
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
  remove({ prefix, part }: CollectionWatch): void {
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

  #addTo(place: Place | undefined, event: ChangeEvent): void {
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
function valuesOf(event: ChangeEvent, read: CollectionPart['read']): readonly string[] {
  const value = read(event.object.object)
  if (event.type === 'delete' || !event.previous) return [value]
  const previous = read(event.previous.object)
  return previous === value ? [value] : [value, previous]
}
