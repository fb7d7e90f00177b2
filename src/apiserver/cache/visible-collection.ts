import type { KubeObject } from '../../api/kube-object.js'
import type { CachedObject } from './cached-object.js'
import { isBelow } from './key-prefix.js'
import type {
  ChangeEvent,
  CollectionEvent,
  CollectionFollower,
  CollectionWatch,
  ListAtQuery,
  ListAtResult,
  ObjectCollection,
} from './object-store.js'

/** What is to be seen, and what is not yet. */
export interface Visibility {
  readonly isVisible: (object: KubeObject) => boolean
  /** Stands in the JSON of every object that is hidden, so that others need not be parsed. */
  readonly marker: string
}

/**
 * A collection without the objects that are not to be seen yet. One that comes to be seen is told as if it had just been made, and
 * one that goes before is never told of. Objects and their bytes are those of the whole collection; and as long as nothing is
 * hidden, so are its lists and batches of events.
 */
export class VisibleCollection implements ObjectCollection {
  readonly #all: ObjectCollection
  readonly #prefix: string
  readonly #visibility: Visibility
  /** Keys of what is hidden now. Made when it is first needed: whoever looks for it must look at every object, once. */
  #hidden: Set<string> | undefined
  /** Remembered, so that all who watch are told by the same batches. */
  readonly #batches = new WeakMap<readonly CollectionEvent[], readonly CollectionEvent[]>()
  readonly #events = new WeakMap<ChangeEvent, { readonly told: ChangeEvent | undefined }>()

  constructor(all: ObjectCollection, prefix: string, visibility: Visibility) {
    this.#all = all
    this.#prefix = prefix
    this.#visibility = visibility
    all.follow({ changed: (event) => this.#note(event), reset: () => (this.#hidden = undefined) })
  }

  get hidden(): ReadonlySet<string> {
    this.#hidden ??= new Set(this.#findHidden())
    return this.#hidden
  }

  #findHidden(): readonly string[] {
    const all = this.#all.list(this.#prefix)
    return all.filter((cached) => !this.#sees(cached)).map(({ key }) => key)
  }

  get(key: string): CachedObject | undefined {
    return this.hidden.has(key) ? undefined : this.#all.get(key)
  }

  count(prefix: string, after?: string): number {
    return this.#all.count(prefix, after) - this.#hiddenCount(prefix, after)
  }

  list(prefix: string, after?: string, limit?: number): readonly CachedObject[] {
    const hidden = this.#hiddenCount(prefix, after)
    if (hidden === 0) return this.#all.list(prefix, after, limit)
    const enough = limit === undefined ? undefined : limit + hidden
    return this.#all
      .list(prefix, after, enough)
      .filter(({ key }) => !this.hidden.has(key))
      .slice(0, limit)
  }

  #hiddenCount(prefix: string, after: string | undefined): number {
    let count = 0
    for (const key of this.hidden) if (isBelow(key, prefix) && (after === undefined || key > after)) count++
    return count
  }

  /** How many are left is an estimate: those further on that were hidden then are counted, too. */
  async listAt(query: ListAtQuery): Promise<ListAtResult> {
    const { limit = Number.POSITIVE_INFINITY } = query
    const found: CachedObject[] = []
    for (let after = query.after; ; ) {
      const { objects, remaining } = await this.#all.listAt({ ...query, ...(after !== undefined && { after }) })
      found.push(...objects.filter((cached) => this.#sees(cached)))
      const surplus = Math.max(found.length - limit, 0)
      if (remaining === 0 || found.length >= limit)
        return { objects: surplus > 0 ? found.slice(0, limit) : found, remaining: remaining + surplus }
      after = objects.at(-1)!.key
    }
  }

  async *watch(query: CollectionWatch): AsyncIterable<readonly CollectionEvent[]> {
    for await (const batch of this.#all.watch(query)) {
      const told = this.#tellBatch(batch)
      if (told.length > 0) yield told
    }
  }

  follow({ changed, reset }: CollectionFollower): () => void {
    const pass = (event: ChangeEvent) => {
      const told = this.#tell(event)
      if (told) changed(told)
    }
    return this.#all.follow({ changed: pass, reset })
  }

  #sees(cached: CachedObject): boolean {
    const { marker: mark, isVisible } = this.#visibility
    return !cached.mentions(mark) || isVisible(cached.object)
  }

  #note(event: ChangeEvent): void {
    if (!this.#hidden) return
    const { key } = event.object
    if (event.type === 'put' && !this.#sees(event.object)) this.#hidden.add(key)
    else this.#hidden.delete(key)
  }

  #tellBatch(batch: readonly CollectionEvent[]): readonly CollectionEvent[] {
    let told = this.#batches.get(batch)
    if (!told) {
      const events = batch.map((event) => (event.type === 'progress' ? event : this.#tell(event)))
      told = events.every((event, place) => event === batch[place])
        ? batch
        : events.filter((event) => event !== undefined)
      this.#batches.set(batch, told)
    }
    return told
  }

  #tell(event: ChangeEvent): ChangeEvent | undefined {
    let known = this.#events.get(event)
    if (!known) {
      known = { told: this.#translate(event) }
      this.#events.set(event, known)
    }
    return known.told
  }

  #translate(event: ChangeEvent): ChangeEvent | undefined {
    const { object } = event
    const isSeen = this.#sees(object)
    if (event.type === 'delete') return isSeen ? event : undefined
    const wasSeen = event.previous !== undefined && this.#sees(event.previous)
    if (isSeen) return wasSeen || !event.previous ? event : { type: 'put', object, previous: undefined }
    return wasSeen ? { type: 'delete', object: event.previous!.at(object.revision) } : undefined
  }
}
