/** One measured number. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** What DESIGN.md or an issue promises, as a sentence: `≤ 60 µs`. */
  readonly budget?: string
  /** What it was measured against in the same run, on the same machine. */
  readonly note?: string
}

export type Say = (figure: Figure) => void

/** The best of several rounds, in microseconds a call: on a noisy machine the fastest round is the one that was left alone. */
export function microseconds(run: () => void, calls = 20_000, rounds = 7): number {
  for (let i = 0; i < calls; i++) run() // warm up
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    for (let i = 0; i < calls; i++) run()
    best = Math.min(best, ((performance.now() - start) * 1000) / calls)
  }
  return best
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
