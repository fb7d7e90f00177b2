/** On how many nodes each image is. */
export class ImageCounts {
  readonly #counts = new Map<string, number>()
  /** What was given out last; undefined if it is no longer true. */
  #given: ReadonlyMap<string, number> | undefined

  /** Of one node: what was there, and what is there now. */
  replace(old: ReadonlyMap<string, number> | undefined, images: ReadonlyMap<string, number> | undefined): void {
    for (const name of old?.keys() ?? []) if (!images?.has(name)) this.#add(name, -1)
    for (const name of images?.keys() ?? []) if (!old?.has(name)) this.#add(name, 1)
  }

  /** As it is now; what is given out never changes. */
  counts(): ReadonlyMap<string, number> {
    this.#given ??= new Map(this.#counts)
    return this.#given
  }

  #add(name: string, nodes: number): void {
    const count = (this.#counts.get(name) ?? 0) + nodes
    if (count === 0) this.#counts.delete(name)
    else this.#counts.set(name, count)
    this.#given = undefined
  }
}
