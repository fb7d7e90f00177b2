/** Starts requests. `begin` must not throw. */
export interface RequestStarter {
  add(begin: () => void): void
}

/** The simple starter: it starts each request when it arrives. */
export const immediateStarter: RequestStarter = { add: (begin) => begin() }

/**
 * The fast starter: it starts all requests that arrive in one iteration of the event loop together, at its end. They then run through the
 * stages side by side, while the code of a stage is in the caches of the CPU: a create takes half the time (docs/decisions/013).
 */
export class RequestBatcher implements RequestStarter {
  #waiting: (() => void)[] = []

  add(begin: () => void): void {
    if (this.#waiting.push(begin) === 1) setImmediate(this.#begin)
  }

  readonly #begin = (): void => {
    const all = this.#waiting
    this.#waiting = []
    for (const begin of all) begin()
  }
}
