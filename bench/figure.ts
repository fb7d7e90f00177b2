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

/**
 * The same for what may have to be waited for, and by the time that the process had on a processor, which others on the machine
 * hardly change. Each call gets what `prepare` makes, of which the time does not count.
 */
export async function cpuMicroseconds<T>(
  prepare: () => T,
  run: (given: T) => void | Promise<void>,
  { calls = 500, rounds = 100 } = {},
): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = -40; round < rounds; round++) {
    const given = Array.from({ length: calls }, prepare)
    // What was left over by preparing. Not a whole collection: with the last objects of a form it forgets code that was made for it.
    globalThis.gc?.({ type: 'minor' } as never)
    const start = process.cpuUsage()
    for (const one of given) {
      const waiting = run(one)
      if (waiting) await waiting
    }
    const { user, system } = process.cpuUsage(start)
    if (round >= 0) best = Math.min(best, (user + system) / calls) // those before are to warm up
  }
  return best
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
