import type { KubeObject } from '../../api/kube-object.js'
import { type Link, LinkedList } from '../../base/linked-list.js'
import type { StoreEntry } from '../../storage/store.js'
import { Kept } from './kept.js'
import { asBuffer } from './resource-version.js'

/** What is about to be put: the object, and its JSON as it is handed to the store. */
export interface Draft {
  readonly key: string
  readonly object: KubeObject
  readonly json: Uint8Array
  /** What the cache made of it when the store told of it. */
  kept?: Kept
}

/**
 * Puts that are on their way. When the store tells that one of them happened, the object that the writer has is kept, and nobody
 * needs to parse it again. They are recognized by their bytes: whoever wrote the same, it is the same object. Those who wrote or watch it
 * in this process ask for it at once; if nobody does, it is let go of, because an object takes several times the room of its bytes.
 */
export class WriteDrafts {
  readonly #freeze: boolean
  /** The store tells of them nearly in the order in which they came. */
  readonly #drafts = new LinkedList<Draft>()
  #done: Kept[] = []

  constructor(freeze: boolean) {
    this.#freeze = freeze
  }

  add(draft: Draft): Link<Draft> {
    return this.#drafts.add(draft)
  }

  remove(link: Link<Draft>): void {
    this.#drafts.remove(link)
    const { kept } = link.value
    if (kept && this.#done.push(kept) === 1) setImmediate(() => this.#settle())
  }

  #settle(): void {
    const done = this.#done
    this.#done = []
    for (const kept of done) kept.settle()
  }

  /** The written object, if it is one that is on its way. */
  take({ key, value, modRevision }: StoreEntry): Kept | undefined {
    const draft = this.#drafts.find((known) => known.key === key && isSame(known.json, value))
    if (!draft) return undefined
    draft.kept = new Kept(key, modRevision, { json: value, object: draft.object, freeze: this.#freeze })
    return draft.kept
  }
}

function isSame(json: Uint8Array, value: Uint8Array): boolean {
  return json === value || asBuffer(json).equals(value)
}
