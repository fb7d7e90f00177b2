import type { KubeObject } from '../../api/kube-object.js'
import type { Entry } from '../../storage/store.js'
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
  readonly #byKey = new Map<string, Draft[]>()
  #done: Kept[] = []

  constructor(freeze: boolean) {
    this.#freeze = freeze
  }

  add(draft: Draft): void {
    const others = this.#byKey.get(draft.key)
    if (others) others.push(draft)
    else this.#byKey.set(draft.key, [draft])
  }

  remove(draft: Draft): void {
    const drafts = this.#byKey.get(draft.key)!
    if (drafts.length > 1) drafts.splice(drafts.indexOf(draft), 1)
    else this.#byKey.delete(draft.key)
    if (draft.kept && this.#done.push(draft.kept) === 1) setImmediate(() => this.#settle())
  }

  #settle(): void {
    const done = this.#done
    this.#done = []
    for (const kept of done) kept.settle()
  }

  /** The written object, if it is one that is on its way. */
  take({ key, value, modRevision }: Entry): Kept | undefined {
    const draft = this.#byKey.get(key)?.find(({ json }) => json === value || asBuffer(json).equals(value))
    if (!draft) return undefined
    draft.kept = new Kept(key, modRevision, { json: value, object: draft.object, freeze: this.#freeze })
    return draft.kept
  }
}
