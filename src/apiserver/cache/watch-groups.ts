import { directoryLength, isBelow } from './key-prefix.js'
import type { ChangeEvent, CollectionWatch, FieldMatch } from './object-store.js'
import type { RecentEvents } from './recent-events.js'

export interface WatchGroupMember {
  /** Delivers new events to a watch that has read all earlier ones. */
  receive(batch: readonly ChangeEvent[]): void
  end(): void
}

/** All watchers with equal queries. They share their batches. */
export class WatchGroup {
  readonly members = new Set<WatchGroupMember>()
  readonly #recent: RecentEvents
  readonly #isWanted: (event: ChangeEvent) => boolean
  #fresh: ChangeEvent[] = []
  /** Batches read since the last delivery, by the revision after which they begin. */
  #batches = new Map<number, readonly ChangeEvent[]>()

  constructor(recent: RecentEvents, isWanted: (event: ChangeEvent) => boolean) {
    this.#recent = recent
    this.#isWanted = isWanted
  }

  /** Returns whether it is the first event since the last delivery. */
  add(event: ChangeEvent): boolean {
    return this.#fresh.push(event) === 1
  }

  deliver(): void {
    const batch = this.#fresh
    this.#fresh = []
    if (this.#batches.size > 0) this.#batches = new Map() // a cleared map would retain its contents (docs/decisions/014)
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

/** The watchers of one prefix. */
interface PrefixGroups {
  all: WatchGroup | undefined
  /** By field: how it is read, and the watchers of each value. */
  readonly fields: Map<string, { readonly read: FieldMatch['read']; readonly byValue: Map<string, WatchGroup> }>
}

/** All watchers of a collection, indexed by prefix and field value: an event reaches only the watchers that it concerns. */
export class WatchGroups {
  readonly #recent: RecentEvents
  /** The length of the collection's prefix, which is the shortest watched prefix. */
  readonly #shortest: number
  readonly #prefixes = new Map<string, PrefixGroups>()
  /** The groups with events since the last delivery. */
  #affected: WatchGroup[] = []

  constructor(prefix: string, recent: RecentEvents) {
    this.#shortest = prefix.length
    this.#recent = recent
  }

  group({ prefix, fieldMatch }: CollectionWatch): WatchGroup {
    const groups = this.#groupsOf(prefix)
    if (fieldMatch) return this.#fieldGroup(groups, prefix, fieldMatch)
    groups.all ??= new WatchGroup(this.#recent, ({ object }) => isBelow(object.key, prefix))
    return groups.all
  }

  #groupsOf(prefix: string): PrefixGroups {
    let groups = this.#prefixes.get(prefix)
    if (!groups) {
      groups = { all: undefined, fields: new Map() }
      this.#prefixes.set(prefix, groups)
    }
    return groups
  }

  #fieldGroup({ fields }: PrefixGroups, prefix: string, { field, value, read }: FieldMatch): WatchGroup {
    let values = fields.get(field)
    if (!values) {
      values = { read, byValue: new Map() }
      fields.set(field, values)
    }
    let group = values.byValue.get(value)
    if (!group) {
      group = new WatchGroup(
        this.#recent,
        (event) => isBelow(event.object.key, prefix) && valuesOf(event, read).includes(value),
      )
      values.byValue.set(value, group)
    }
    return group
  }

  /** Removes a group, which must have no members. */
  remove({ prefix, fieldMatch }: CollectionWatch): void {
    const groups = this.#prefixes.get(prefix)
    if (!groups) return
    if (!fieldMatch) groups.all = undefined
    else {
      const byValue = groups.fields.get(fieldMatch.field)?.byValue
      byValue?.delete(fieldMatch.value)
      if (byValue?.size === 0) groups.fields.delete(fieldMatch.field)
    }
    if (!groups.all && groups.fields.size === 0) this.#prefixes.delete(prefix)
  }

  /** Adds an event to the groups that it concerns, for the next delivery. */
  add(event: ChangeEvent): void {
    if (this.#prefixes.size === 0) return
    const { key } = event.object
    for (let length = this.#shortest; length > 0; length = directoryLength(key, length + 1))
      this.#addTo(this.#prefixes.get(key.slice(0, length)), event)
    this.#addTo(this.#prefixes.get(key), event)
  }

  #addTo(groups: PrefixGroups | undefined, event: ChangeEvent): void {
    if (!groups) return
    if (groups.all?.add(event)) this.#affected.push(groups.all)
    for (const { read, byValue } of groups.fields.values())
      for (const value of valuesOf(event, read)) {
        const group = byValue.get(value)
        if (group?.add(event)) this.#affected.push(group)
      }
  }

  deliver(): void {
    if (this.#affected.length === 0) return
    const affected = this.#affected
    this.#affected = []
    for (const group of affected) group.deliver()
  }

  /** Ends every watch. */
  end(): void {
    for (const { all, fields } of [...this.#prefixes.values()]) {
      const groups = [...fields.values()].flatMap(({ byValue }) => [...byValue.values()])
      for (const { members } of all ? [all, ...groups] : groups) for (const watcher of [...members]) watcher.end()
    }
  }
}

/** The new and the old value of the field: a change concerns the watchers of both. */
function valuesOf(event: ChangeEvent, read: FieldMatch['read']): readonly string[] {
  const value = read(event.object.object)
  if (event.type === 'delete' || !event.previous) return [value]
  const previous = read(event.previous.object)
  return previous === value ? [value] : [value, previous]
}
