import type { KubeObject } from '../../api/kube-object.js'
import type { CachedObject } from './cached-object.js'
import { changeView, disappearedObject } from './change-view.js'
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

/** Which objects clients can see. */
export interface Visibility {
  readonly isVisible: (object: KubeObject) => boolean
  /** A text that the JSON of every hidden object contains, so that the others need not be parsed. */
  readonly marker: string
}

/**
 * A collection without hidden objects. An object that becomes visible is reported as created; one that is deleted before is never reported.
 * Objects and bytes are shared with the whole collection, and so are lists and batches while nothing is hidden.
 */
export class VisibleCollection implements ObjectCollection {
  readonly #all: ObjectCollection
  readonly #prefix: string
  readonly #visibility: Visibility
  /** The keys of hidden objects. Built on first use, because that reads every object. */
  #hidden: Set<string> | undefined
  /** Cached, so that all watchers share the same batches. */
  readonly #batches = new WeakMap<readonly CollectionEvent[], readonly CollectionEvent[]>()
  readonly #events = new WeakMap<ChangeEvent, { readonly event: ChangeEvent | undefined }>()

  constructor(all: ObjectCollection, prefix: string, visibility: Visibility) {
    this.#all = all
    this.#prefix = prefix
    this.#visibility = visibility
    all.follow({ changed: (event) => this.#trackHidden(event), reset: () => (this.#hidden = undefined) })
  }

  get hidden(): ReadonlySet<string> {
    this.#hidden ??= new Set(this.#findHidden())
    return this.#hidden
  }

  #findHidden(): readonly string[] {
    const all = this.#all.list(this.#prefix)
    return all.filter((cached) => !this.#isVisible(cached)).map(({ key }) => key)
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

  /** `remaining` is an estimate: it includes hidden objects of the following pages. */
  async listAt(query: ListAtQuery): Promise<ListAtResult> {
    const { limit = Number.POSITIVE_INFINITY } = query
    const found: CachedObject[] = []
    for (let after = query.after; ; ) {
      const { objects, remaining } = await this.#all.listAt({ ...query, ...(after !== undefined && { after }) })
      found.push(...objects.filter((cached) => this.#isVisible(cached)))
      const surplus = Math.max(found.length - limit, 0)
      if (remaining === 0 || found.length >= limit)
        return { objects: surplus > 0 ? found.slice(0, limit) : found, remaining: remaining + surplus }
      after = objects.at(-1)!.key
    }
  }

  async *watch(query: CollectionWatch): AsyncIterable<readonly CollectionEvent[]> {
    for await (const batch of this.#all.watch(query)) {
      const visible = this.#visibleBatch(batch)
      if (visible.length > 0) yield visible
    }
  }

  follow({ changed, reset }: CollectionFollower): () => void {
    const pass = (event: ChangeEvent) => {
      const visible = this.#visibleEvent(event)
      if (visible) changed(visible)
    }
    return this.#all.follow({ changed: pass, reset })
  }

  #isVisible(cached: CachedObject): boolean {
    const { marker, isVisible } = this.#visibility
    return !cached.mentions(marker) || isVisible(cached.object)
  }

  #trackHidden(event: ChangeEvent): void {
    if (!this.#hidden) return
    const { key } = event.object
    if (event.type === 'put' && !this.#isVisible(event.object)) this.#hidden.add(key)
    else this.#hidden.delete(key)
  }

  #visibleBatch(batch: readonly CollectionEvent[]): readonly CollectionEvent[] {
    let visible = this.#batches.get(batch)
    if (!visible) {
      const events = batch.map((event) => (event.type === 'progress' ? event : this.#visibleEvent(event)))
      visible = events.every((event, index) => event === batch[index])
        ? batch
        : events.filter((event) => event !== undefined)
      this.#batches.set(batch, visible)
    }
    return visible
  }

  #visibleEvent(event: ChangeEvent): ChangeEvent | undefined {
    let known = this.#events.get(event)
    if (!known) {
      known = { event: this.#translate(event) }
      this.#events.set(event, known)
    }
    return known.event
  }

  #translate(event: ChangeEvent): ChangeEvent | undefined {
    switch (changeView(event, (object) => this.#isVisible(object))) {
      case 'change':
        return event
      case 'appearance':
        return { type: 'put', object: event.object, previous: undefined }
      case 'disappearance':
        return { type: 'delete', object: disappearedObject(event) }
      default:
        return undefined
    }
  }
}
