import { compareUtf8 } from '../../storage/engine/batch.js'
import type { LazyCachedObject } from './cached-object.js'

/** A chunk that grows beyond this is cut in two; one whose neighbour is as empty as itself is joined with it. */
const chunkSize = 512

/**
 * Objects in the order of their keys, found by key at once. They stand in chunks, so that one more costs little however many
 * there are, and a list is a few copies of whole stretches.
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

  /** What it replaced. */
  set(object: LazyCachedObject): LazyCachedObject | undefined {
    const { key } = object
    const previous = this.#byKey.get(key)
    this.#byKey.set(key, object)
    const number = this.#chunkOf(key)
    const chunk = this.#chunks[number]
    if (!chunk) this.#chunks.push([object])
    else {
      const place = placeIn(chunk, key)
      if (previous) chunk[place] = object
      else {
        chunk.splice(place, 0, object)
        if (chunk.length > chunkSize) this.#split(number, place)
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
    chunk.splice(placeIn(chunk, key), 1)
    this.#join(number)
    return previous
  }

  /** The objects with keys from `start` on and before `end`, at most so many. */
  between(start: string, end: string, limit = Number.POSITIVE_INFINITY): LazyCachedObject[] {
    const stretches: LazyCachedObject[][] = []
    let left = limit
    this.#visit(start, end, (chunk, from, to) => {
      const part = chunk.slice(from, Math.min(to, from + left))
      stretches.push(part)
      left -= part.length
      return left > 0
    })
    return stretches.length === 1 ? stretches[0]! : ([] as LazyCachedObject[]).concat(...stretches)
  }

  countBetween(start: string, end: string): number {
    let count = 0
    this.#visit(start, end, (_chunk, from, to) => {
      count += to - from
      return true
    })
    return count
  }

  /** Calls `visit` with the part of each chunk that is in the range, until it wants no more. */
  #visit(
    start: string,
    end: string,
    visit: (chunk: readonly LazyCachedObject[], from: number, to: number) => boolean,
  ): void {
    for (let number = this.#chunkOf(start); number < this.#chunks.length; number++) {
      const chunk = this.#chunks[number]!
      if (compareUtf8(chunk[0]!.key, end) >= 0) return
      const from = compareUtf8(chunk[0]!.key, start) >= 0 ? 0 : placeIn(chunk, start)
      const to = compareUtf8(chunk.at(-1)!.key, end) < 0 ? chunk.length : placeIn(chunk, end)
      if (to > from && !visit(chunk, from, to)) return
    }
  }

  /** The chunk in which the key is, or would be: the last that does not begin after it. */
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

  /** Keys often come in order: then the full chunk stays full, and the next one begins with the newcomer. */
  #split(number: number, place: number): void {
    const chunk = this.#chunks[number]!
    const atEnd = place === chunk.length - 1
    this.#chunks.splice(number + 1, 0, chunk.splice(atEnd ? place : chunk.length >> 1))
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

/** The first place whose key is not before the given one. */
function placeIn(chunk: readonly LazyCachedObject[], key: string): number {
  let low = 0
  let high = chunk.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareUtf8(chunk[middle]!.key, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}
