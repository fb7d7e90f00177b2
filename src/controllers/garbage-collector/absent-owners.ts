/** So many are remembered: the owners of what is collected at one time. */
const most = 5000

/**
 * Owners that are known not to be there, so that not every dependent asks the server again. An object that was seen to go is filed
 * under its uid, which never comes back; one that was only looked for, under the place where it was not: what others say of
 * the same uid may be right.
 */
export class AbsentOwners {
  /** Those that were asked for longest ago come first. */
  readonly #names = new Set<string>()

  add(name: string): void {
    this.#names.delete(name)
    this.#names.add(name)
    if (this.#names.size > most) for (const oldest of this.#names) return void this.#names.delete(oldest)
  }

  has(name: string): boolean {
    if (!this.#names.has(name)) return false
    this.add(name)
    return true
  }
}
