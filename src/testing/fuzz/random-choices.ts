import { type Random, seededRandom } from '../../base/random.js'

/** Random choices that are the same for the same seed. */
export class RandomChoices {
  readonly #random: Random

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  below(limit: number): number {
    return this.#random.integer(limit)
  }

  /** Returns true once in `times`. */
  rarely(times: number): boolean {
    return this.below(times) === 0
  }

  one<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!
  }

  /** Returns up to `most` choices, with repetition. */
  some<T>(choices: readonly T[], most: number): T[] {
    return Array.from({ length: this.below(most + 1) }, () => this.one(choices))
  }

  bytes(length: number): Buffer {
    return Buffer.from(this.#random.bytes(length))
  }
}
