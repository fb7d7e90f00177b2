import { CriError } from '../cri-error.js'

/** Records by id. Lookups accept a prefix of an id if it is unique. */
export class RecordsById<Item extends { readonly id: string }> {
  readonly #noun: string
  readonly #items = new Map<string, Item>()

  constructor(noun: string) {
    this.#noun = noun
  }

  add(item: Item): void {
    this.#items.set(item.id, item)
  }

  delete(id: string): void {
    this.#items.delete(id)
  }

  /** Throws `NotFound` if there is no such record. */
  get(id: string): Item {
    const found = this.find(id)
    if (!found) throw new CriError('NotFound', `an error occurred when try to find ${this.#noun} "${id}": not found`)
    return found
  }

  find(id: string): Item | undefined {
    const exact = this.#items.get(id)
    if (exact || id === '') return exact
    const candidates = [...this.#items.values()].filter((item) => item.id.startsWith(id))
    return candidates.length === 1 ? candidates[0] : undefined
  }

  all(): Item[] {
    return [...this.#items.values()]
  }
}

export function hasLabels(
  labels: Readonly<Record<string, string>>,
  selector: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value)
}
