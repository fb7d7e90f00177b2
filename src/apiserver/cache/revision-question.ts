import type { Store } from '../../storage/store.js'

/**
 * Asks the store how far it is, on behalf of everyone who wants to know. Whoever comes while a question is on its way shares the
 * next one: the answer must be of a moment after they came.
 */
export class RevisionQuestion {
  readonly #store: Store
  /** A key that does not exist is the cheapest thing to read. */
  readonly #key: string
  #underWay: Promise<unknown> = Promise.resolve()
  #next: Promise<number> | undefined

  constructor(store: Store, key: string) {
    this.#store = store
    this.#key = key
  }

  ask(): Promise<number> {
    this.#next ??= this.#underWay.then(() => {
      const answer = this.#store.get(this.#key).then(({ revision }) => revision)
      this.#next = undefined
      this.#underWay = answer.catch(() => {}) // those who asked are told
      return answer
    })
    return this.#next
  }
}
