import type { KubeObject } from '../../api/kube-object.js'
import { type Link, LinkedList } from '../../base/linked-list.js'
import type { StoreEntry } from '../../storage/store.js'
import { type CachedObjectSettings, LazyCachedObject } from './cached-object.js'
import { asBuffer } from './resource-version.js'

/** A put that was sent to the store: the object and its JSON. */
export interface PendingPut {
  readonly key: string
  readonly object: KubeObject
  readonly json: Uint8Array
  /** The object in the cache, once the store has reported the put. */
  cached?: LazyCachedObject
}

/**
 * Puts that the store has not reported yet. When it does, the cache adopts the object of the writer instead of parsing the bytes. Puts are
 * recognized by key and bytes: equal bytes are an equal object, whichever process wrote them. The writer and watchers in this process read the object
 * at once; if none does, it is dropped, because an object takes several times the memory of its bytes.
 */
export class PendingPuts {
  readonly #settings: CachedObjectSettings
  /** The store reports them nearly in this order. */
  readonly #puts = new LinkedList<PendingPut>()
  #done: LazyCachedObject[] = []

  constructor(settings: CachedObjectSettings) {
    this.#settings = settings
  }

  add(put: PendingPut): Link<PendingPut> {
    return this.#puts.add(put)
  }

  remove(link: Link<PendingPut>): void {
    this.#puts.remove(link)
    const { cached } = link.value
    if (cached && this.#done.push(cached) === 1) setImmediate(() => this.#settle())
  }

  #settle(): void {
    const done = this.#done
    this.#done = []
    for (const cached of done) cached.settle()
  }

  /** Returns the cached object of a store entry if it is a pending put. */
  take({ key, value, modRevision }: StoreEntry): LazyCachedObject | undefined {
    const put = this.#puts.find((known) => known.key === key && isSame(known.json, value))
    if (!put) return undefined
    put.cached = new LazyCachedObject(key, modRevision, { json: value, object: put.object, settings: this.#settings })
    return put.cached
  }
}

function isSame(json: Uint8Array, value: Uint8Array): boolean {
  return json === value || asBuffer(json).equals(value)
}
