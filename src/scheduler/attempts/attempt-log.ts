import type { Decision } from '../decision.js'

/** One attempt to place a pod, and what came of it. */
export interface Attempt {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** How long the decision took, in milliseconds. */
  readonly took: number
  /** The name of the profile. */
  readonly profile: string
  readonly decision: Decision
  /** The sentence that people read if no node would do. */
  readonly message?: string
}

export interface AttemptLogOptions {
  /** So many attempts of each pod are remembered. */
  readonly perPod?: number
  /** So much is remembered in all, counted in nodes that were refused and scores that were given. */
  readonly cells?: number
}

/** What the last attempts decided, and why. Bounded: the oldest is forgotten first. */
export class AttemptLog {
  readonly #perPod: number
  readonly #mostCells: number
  /** By `namespace/name`; the pod that was tried the longest ago is first. */
  readonly #attempts = new Map<string, Attempt[]>()
  #cells = 0

  constructor({ perPod = 5, cells = 500_000 }: AttemptLogOptions = {}) {
    this.#perPod = perPod
    this.#mostCells = cells
  }

  add(attempt: Attempt): void {
    const { key } = attempt.decision.pod
    const known = this.#attempts.get(key) ?? []
    this.#attempts.delete(key)
    this.#attempts.set(key, known)
    known.push(attempt)
    this.#cells += cellsOf(attempt)
    if (known.length > this.#perPod) this.#cells -= cellsOf(known.shift()!)
    while (this.#cells > this.#mostCells && this.#attempts.size > 1) this.#forgetOldest()
  }

  /** The oldest first. */
  of(key: string): readonly Attempt[] {
    return this.#attempts.get(key) ?? []
  }

  #forgetOldest(): void {
    const [[key, attempts]] = this.#attempts as unknown as Iterable<[string, Attempt[]]> as [[string, Attempt[]]]
    for (const attempt of attempts) this.#cells -= cellsOf(attempt)
    this.#attempts.delete(key)
  }
}

/** Even an attempt that looked at nothing takes up room. */
function cellsOf({ decision: { diagnosis, scores } }: Attempt): number {
  return 10 + diagnosis.refused.length + (scores?.weighted.length ?? 0)
}
