import type { AnyObject } from '../resource-client.js'
import { ChangeHandlers } from './change-handlers.js'
import { IndexedObjects } from './indexed-objects.js'
import { type Change, type Informer, keyOf } from './informer.js'
import { RevisionWaiters } from './revision-waiters.js'

/** The informer was closed. */
export class InformerClosedError extends Error {
  override readonly name = 'InformerClosedError'
}

/** The server sent an event that contradicts earlier ones: the copy cannot be trusted. */
export class InconsistentWatchError extends Error {
  override readonly name = 'ContradictionError'
}

/**
 * The copy of an informer, and its handlers. A reflector fills it. At any moment the changes that handlers have received add up to exactly
 * the objects of the copy.
 */
export class LocalCopy<T extends AnyObject> implements Informer<T> {
  readonly synced: Promise<void>
  readonly #objects = new IndexedObjects<T>()
  readonly #handlers: ChangeHandlers<T>
  readonly #waiters = new RevisionWaiters()
  #settleSynced!: { readonly resolve: () => void; readonly reject: (error: Error) => void }
  #isSynced = false
  #isClosed = false
  #revision = 0

  /** `report` receives the errors of handlers. */
  constructor(report: (error: unknown) => void) {
    this.#handlers = new ChangeHandlers(report)
    this.synced = new Promise((resolve, reject) => {
      this.#settleSynced = { resolve, reject }
    })
    this.synced.catch(() => {}) // not every user awaits it
  }

  get isSynced(): boolean {
    return this.#isSynced
  }

  get revision(): number {
    return this.#revision
  }

  async reached(revision: number): Promise<void> {
    if (this.#isClosed) throw closed()
    if (this.#revision < revision) await this.#waiters.wait(revision)
  }

  get size(): number {
    return this.#objects.size
  }

  get(key: string): T | undefined {
    return this.#objects.get(key)
  }

  list(): Iterable<T> {
    return this.#objects.all
  }

  by(index: string, value: string): Iterable<T> {
    return this.#objects.by(index, value)
  }

  addIndex(name: string, values: (object: T) => Iterable<string>): void {
    this.#objects.addIndex(name, values)
  }

  onChange(handle: (change: Change<T>) => void): () => void {
    return this.#handlers.add(handle, this.#objects.all)
  }

  /** Applies one watch event. `object` is the new state, or the last state of a deleted object. */
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void {
    const key = keyOf(object)
    const known = this.#objects.get(key)
    const revision = revisionOf(object)
    if (!(revision > this.#revision)) {
      this.#checkRepetition(known, type, object)
      return
    }
    this.#revision = revision
    if (type !== 'DELETED') this.#put(key, known, object)
    else if (known) this.#remove(key, known.metadata.uid === object.metadata.uid ? object : known)
    this.#waiters.reached(revision)
  }

  /** Advances to a revision up to which there was no other change. */
  advance(revision: number): void {
    if (revision <= this.#revision) return
    this.#revision = revision
    this.#waiters.reached(revision)
  }

  /**
   * Replaces all objects with those of a list. Handlers receive the difference: deleted objects first, then the rest in order of revision.
   */
  replace(objects: Iterable<T>, revision: number): void {
    // In a restored store another object may have the revision of one that was lost.
    const isRestored = revision < this.#revision
    const next = new Map<string, T>()
    for (const object of objects) next.set(keyOf(object), object)
    for (const key of this.#objects.keys()) this.#removeUnless(key, next.get(key))
    const changed = [...next].filter(([key, object]) => isRestored || isNews(this.#objects.get(key), object))
    changed.sort(([, one], [, other]) => revisionOf(one) - revisionOf(other))
    for (const [key, object] of changed) this.#put(key, this.#objects.get(key), object)
    this.#revision = revision
    this.#isSynced = true
    this.#settleSynced.resolve()
    // The revision that a caller waits for may be lost in the restored store: it will never come.
    this.#waiters.reached(isRestored ? Number.POSITIVE_INFINITY : revision)
  }

  close(): void {
    this.#isClosed = true
    this.#settleSynced.reject(closed())
    this.#waiters.fail(closed())
  }

  #put(key: string, known: T | undefined, object: T): void {
    const isSame = known?.metadata.uid === object.metadata.uid
    if (known && !isSame) this.#remove(key, known)
    this.#objects.put(key, object)
    this.#handlers.notify(known && isSame ? { type: 'updated', object, old: known } : { type: 'added', object })
  }

  #remove(key: string, last: T): void {
    this.#objects.remove(key)
    this.#handlers.notify({ type: 'deleted', object: last })
  }

  #removeUnless(key: string, object: T | undefined): void {
    const known = this.#objects.get(key)!
    if (known.metadata.uid !== object?.metadata.uid) this.#remove(key, known)
  }

  #checkRepetition(known: T | undefined, type: string, object: T): void {
    if (type === 'DELETED' ? !known : known && !isNews(known, object)) return
    const { resourceVersion } = object.metadata
    throw new InconsistentWatchError(
      `${type} ${keyOf(object)} at revision ${resourceVersion} was sent after revision ${this.#revision}`,
    )
  }
}

function closed(): InformerClosedError {
  return new InformerClosedError('the informer was closed')
}

function isNews(known: AnyObject | undefined, object: AnyObject): boolean {
  return known?.metadata.resourceVersion !== object.metadata.resourceVersion
}

export function revisionOf({ metadata }: AnyObject): number {
  return Number(metadata.resourceVersion)
}
