/** Names of nodes of which something is true. What is given out never changes. */
export class NameSet {
  readonly #names = new Set<string>()
  #given: readonly string[] | undefined

  put(name: string, isTrue: boolean): void {
    if (this.#names.has(name) === isTrue) return
    if (isTrue) this.#names.add(name)
    else this.#names.delete(name)
    this.#given = undefined
  }

  names(): readonly string[] {
    this.#given ??= [...this.#names]
    return this.#given
  }
}
