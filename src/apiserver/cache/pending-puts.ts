import type { KubeObject } from '../../api/kube-object.js'
import { type Link, LinkedList } from '../../base/linked-list.js'
import type { StoreEntry } from '../../storage/store.js'
import { LazyCachedObject } from './cached-object.js'
import { asBuffer } from './resource-version.js'

/** What is about to be put: the object, and its JSON as it is handed to the store. */
export interface PendingPut {
  readonly key: string
  readonly object: KubeObject
  readonly json: Uint8Array
  /** What the cache made of it when the store told of it. */
  cached?: LazyCachedObject
}

/**
 * Puts that are on their way. When the store tells that one of them happened, the object that the writer has is kept, and nobody
 * needs to parse it again. They are recognized by their bytes: whoever wrote the same, it is the same object. Those who wrote or watch it
 * in this process ask for it at once; if nobody does, it is let go of, because an object takes several times the room of its bytes.
 */
export class PendingPuts {
  readonly #freeze: boolean
  /** The store tells of them nearly in the order in which they came. */
  readonly #drafts = new LinkedList<PendingPut>()
  #done: LazyCachedObject[] = []

  constructor(freeze: boolean) {
    this.#freeze = freeze
  }

  add(draft: PendingPut): Link<PendingPut> {
    return this.#drafts.add(draft)
  }

  remove(link: Link<PendingPut>): void {
    this.#drafts.remove(link)
    const { cached } = link.value
    if (cached && this.#done.push(cached) === 1) setImmediate(() => this.#settle())
  }

  #settle(): void {
    const done = this.#done
    this.#done = []
    for (const cached of done) cached.settle()
  }

  /** The written object, if it is one that is on its way. */
  take({ key, value, modRevision }: StoreEntry): LazyCachedObject | undefined {
    const draft = this.#drafts.find((known) => known.key === key && isSame(known.json, value))
    if (!draft) return undefined
    draft.cached = new LazyCachedObject(key, modRevision, { json: value, object: draft.object, freeze: this.#freeze })
    return draft.cached
  }
}

function isSame(json: Uint8Array, value: Uint8Array): boolean {
  return json === value || asBuffer(json).equals(value)
}
