/** One measured number. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The budget from DESIGN.md or an issue: `≤ 60 µs`. */
  readonly budget?: string
  /** The value that it was compared with, in the same run on the same machine. */
  readonly note?: string
}

export type ReportFigure = (figure: Figure) => void

/** Returns the best of several rounds, in microseconds per call. On a shared machine the fastest round is the least disturbed one. */
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
 * Does the same with CPU time, for a function that may be asynchronous. Other processes hardly change CPU time. Each call gets a value of
 * `prepare`, whose time does not count.
 */
export async function cpuMicroseconds<T>(
  prepare: () => T,
  run: (given: T) => void | Promise<void>,
  { calls = 500, rounds = 100 } = {},
): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = -40; round < rounds; round++) {
    const given = Array.from({ length: calls }, prepare)
    // Collects the garbage of `prepare`. A minor collection, because a major one may discard optimized code.
    globalThis.gc?.({ type: 'minor' } as never)
    const start = process.cpuUsage()
    for (const one of given) {
      const waiting = run(one)
      if (waiting) await waiting
    }
    const { user, system } = process.cpuUsage(start)
    if (round >= 0) best = Math.min(best, (user + system) / calls) // negative rounds are the warm-up
  }
  return best
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
