import type { IndexRange } from '../../api/batch/v1/job/indexes.js'

/** An immutable set of indexes of a job, in the form of `status.completedIndexes`: `0,3-5,9`. */
export class IndexSet {
  /** Sorted, with gaps between them. */
  readonly #ranges: readonly IndexRange[]

  private constructor(ranges: readonly IndexRange[]) {
    this.#ranges = ranges
  }

  static readonly empty = new IndexSet([])

  static of(indexes: Iterable<number>): IndexSet {
    return new IndexSet(joined([...indexes].map((index) => [index, index])))
  }

  /** Ignores what cannot be parsed, and indexes beyond the last one: the job may have fewer completions than before. */
  static parse(text: string, completions: number): IndexSet {
    const ranges = text.split(',').flatMap((part) => readRange(part, completions - 1))
    return new IndexSet(joined(ranges))
  }

  get size(): number {
    return this.#ranges.reduce((size, [first, last]) => size + last - first + 1, 0)
  }

  has(index: number): boolean {
    let low = 0
    let high = this.#ranges.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#ranges[middle]![1] < index) low = middle + 1
      else high = middle
    }
    const range = this.#ranges[low]
    return range !== undefined && range[0] <= index
  }

  union(other: IndexSet): IndexSet {
    return new IndexSet(joined([...this.#ranges, ...other.#ranges]))
  }

  /** How many indexes are in both. */
  overlap(other: IndexSet): number {
    return this.size + other.size - this.union(other).size
  }

  /** The first `count` indexes below `completions` that are missing. */
  missing(count: number, completions: number): readonly number[] {
    const found: number[] = []
    const take = (from: number, to: number) => {
      for (let index = from; index < to && found.length < count; index++) found.push(index)
    }
    let next = 0
    for (const [first, last] of this.#ranges) {
      take(next, Math.min(first, completions))
      next = last + 1
    }
    take(next, completions)
    return found
  }

  /** Two neighbours are listed, `1,2`; three or more are a range. */
  toString(): string {
    return this.#ranges
      .map(([first, last]) => (first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`))
      .join()
  }
}

function readRange(text: string, highest: number): readonly IndexRange[] {
  const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? []
  if (first === undefined || Number(first) > highest) return []
  return [[Number(first), Math.min(Number(last ?? first), highest)]]
}

function joined(ranges: readonly IndexRange[]): readonly IndexRange[] {
  const result: [number, number][] = []
  for (const [first, last] of [...ranges].sort(([left], [right]) => left - right)) {
    const before = result.at(-1)
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else result.push([first, last])
  }
  return result
}
