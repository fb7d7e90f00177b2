/**
 * What arrives in one turn of the event loop is begun together, at its end. From there, as promises settle, it goes on stage by stage:
 * the code of a stage is still in the processor's caches when the next request comes to it. A create takes half the time that way
 * (docs/decisions/013).
 */
export class Turns {
  #waiting: (() => void)[] = []

  /** None of them may throw. */
  add(begin: () => void): void {
    if (this.#waiting.push(begin) === 1) setImmediate(this.#begin)
  }

  readonly #begin = (): void => {
    const all = this.#waiting
    this.#waiting = []
    for (const begin of all) begin()
  }
}
