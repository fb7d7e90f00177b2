/** How many owners are remembered: those of the objects that are collected at the same time. */
const capacity = 5000

/**
 * Owners that do not exist, so that they are requested once and not for each dependent. An owner whose deletion was seen is stored by its uid,
 * which never comes back; one that was not found is stored by its location, because other references to the same uid may be valid.
 */
export class AbsentOwners {
  /** The least recently used first. */
  readonly #names = new Set<string>()

  add(name: string): void {
    this.#names.delete(name)
    this.#names.add(name)
    if (this.#names.size > capacity) for (const oldest of this.#names) return void this.#names.delete(oldest)
  }

  has(name: string): boolean {
    if (!this.#names.has(name)) return false
    this.add(name)
    return true
  }
}
