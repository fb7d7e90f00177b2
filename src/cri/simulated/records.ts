import { CriError } from '../cri-error.js'

/** Things by id. Whoever asks may name the beginning of an id, as long as only one begins so. */
export class RecordsById<Thing extends { readonly id: string }> {
  readonly #noun: string
  readonly #things = new Map<string, Thing>()

  constructor(noun: string) {
    this.#noun = noun
  }

  add(thing: Thing): void {
    this.#things.set(thing.id, thing)
  }

  delete(id: string): void {
    this.#things.delete(id)
  }

  /** Throws `NotFound` when there is none. */
  get(id: string): Thing {
    const found = this.find(id)
    if (!found) throw new CriError('NotFound', `an error occurred when try to find ${this.#noun} "${id}": not found`)
    return found
  }

  find(id: string): Thing | undefined {
    const exact = this.#things.get(id)
    if (exact || id === '') return exact
    const candidates = [...this.#things.values()].filter((thing) => thing.id.startsWith(id))
    return candidates.length === 1 ? candidates[0] : undefined
  }

  all(): Thing[] {
    return [...this.#things.values()]
  }
}

export function hasLabels(
  labels: Readonly<Record<string, string>>,
  selector: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value)
}
