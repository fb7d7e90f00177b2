import { compareUtf8 } from '../../storage/engine/batch.js'
import type { LazyCachedObject } from './cached-object.js'

/** A larger chunk is split in two; two neighbours that are nearly empty are joined. */
const chunkSize = 512

/**
 * Objects in the order of their keys, with a map for lookups. They are stored in chunks, so that an insertion is cheap at any size and a list
 * is a few copies of whole slices.
 */
export class SortedObjects {
  readonly #byKey = new Map<string, LazyCachedObject>()
  /** None is empty. */
  readonly #chunks: LazyCachedObject[][] = []

  get size(): number {
    return this.#byKey.size
  }

  get(key: string): LazyCachedObject | undefined {
    return this.#byKey.get(key)
  }

  /** Returns the object that it replaced. */
  set(object: LazyCachedObject): LazyCachedObject | undefined {
    const { key } = object
    const previous = this.#byKey.get(key)
    this.#byKey.set(key, object)
    const number = this.#chunkOf(key)
    const chunk = this.#chunks[number]
    if (!chunk) this.#chunks.push([object])
    else {
      const index = indexIn(chunk, key)
      if (previous) chunk[index] = object
      else {
        chunk.splice(index, 0, object)
        if (chunk.length > chunkSize) this.#split(number, index)
      }
    }
    return previous
  }

  delete(key: string): LazyCachedObject | undefined {
    const previous = this.#byKey.get(key)
    if (!previous) return undefined
    this.#byKey.delete(key)
    const number = this.#chunkOf(key)
    const chunk = this.#chunks[number]!
    chunk.splice(indexIn(chunk, key), 1)
    this.#join(number)
    return previous
  }

  /** The objects with keys from `start`, included, to `end`, excluded; at most `limit`. */
  between(start: string, end: string, limit = Number.POSITIVE_INFINITY): LazyCachedObject[] {
    const slices: LazyCachedObject[][] = []
    let left = limit
    this.#visit(start, end, (chunk, from, to) => {
      const slice = chunk.slice(from, Math.min(to, from + left))
      slices.push(slice)
      left -= slice.length
      return left > 0
    })
    return slices.length === 1 ? slices[0]! : ([] as LazyCachedObject[]).concat(...slices)
  }

  countBetween(start: string, end: string): number {
    let count = 0
    this.#visit(start, end, (_chunk, from, to) => {
      count += to - from
      return true
    })
    return count
  }

  /** Calls `visit` with the slice of each chunk that is in the range, until it returns false. */
  #visit(
    start: string,
    end: string,
    visit: (chunk: readonly LazyCachedObject[], from: number, to: number) => boolean,
  ): void {
    for (let number = this.#chunkOf(start); number < this.#chunks.length; number++) {
      const chunk = this.#chunks[number]!
      if (compareUtf8(chunk[0]!.key, end) >= 0) return
      const from = compareUtf8(chunk[0]!.key, start) >= 0 ? 0 : indexIn(chunk, start)
      const to = compareUtf8(chunk.at(-1)!.key, end) < 0 ? chunk.length : indexIn(chunk, end)
      if (to > from && !visit(chunk, from, to)) return
    }
  }

  /** The index of the chunk that contains the key, or would contain it: the last that does not begin after it. */
  #chunkOf(key: string): number {
    let low = 0
    let high = this.#chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (compareUtf8(this.#chunks[middle]![0]!.key, key) <= 0) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Keys often arrive in order: then the full chunk stays full, and the new object starts the next one. */
  #split(number: number, index: number): void {
    const chunk = this.#chunks[number]!
    const atEnd = index === chunk.length - 1
    this.#chunks.splice(number + 1, 0, chunk.splice(atEnd ? index : chunk.length >> 1))
  }

  #join(number: number): void {
    const chunk = this.#chunks[number]!
    const next = this.#chunks[number + 1]
    if (chunk.length === 0) this.#chunks.splice(number, 1)
    else if (next && chunk.length + next.length < chunkSize / 2) {
      chunk.push(...next)
      this.#chunks.splice(number + 1, 1)
    }
  }
}

/** The first index whose key is not before the given one. */
function indexIn(chunk: readonly LazyCachedObject[], key: string): number {
  let low = 0
  let high = chunk.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareUtf8(chunk[middle]!.key, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}
