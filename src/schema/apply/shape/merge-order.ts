import type { PathElement } from '../field-set/path-element.js'

/** The elements of a list's items, in its order. */
export type ItemOrder = readonly PathElement[]

/** Where an item of the merged list comes from. Items that both have come from `given`. */
export interface MergedItem {
  readonly from: 'live' | 'given'
  readonly index: number
  readonly element: PathElement
}

/**
 * The order of the items when `given` is merged into `live`: all of `given` in its own order, and those that only `live` has
 * about where they were. `live` may have an element more than once; one that `given` has too is then there only once.
 */
export function mergedOrder(live: ItemOrder, given: ItemOrder): readonly MergedItem[] {
  const walk = new Walk(live, given)
  while (walk.step()) {}
  return walk.order
}

class Walk {
  readonly order: MergedItem[] = []
  readonly #live: ItemOrder
  readonly #given: ItemOrder
  readonly #inGiven: ReadonlySet<PathElement>
  /** What both have, in the order of `given`. */
  readonly #shared: readonly PathElement[]
  readonly #taken = new Set<PathElement>()
  #left = 0
  #right = 0
  /** The place among the shared of the one that is to come next. */
  #next = 0

  constructor(live: ItemOrder, given: ItemOrder) {
    const inLive = new Set(live)
    this.#live = live
    this.#given = given
    this.#inGiven = new Set(given)
    this.#shared = given.filter((element) => inLive.has(element))
  }

  /** Takes or passes over one item; false at the end of both lists. */
  step(): boolean {
    const left = this.#live[this.#left]
    const right = this.#given[this.#right]
    if (left === undefined && right === undefined) return false
    if (left === undefined) this.#takeGiven(right!)
    else if (left === right) this.#takeBoth(right)
    else if (!this.#inGiven.has(left)) this.#takeLive(left)
    else if (right === undefined || this.#comesLater(left)) this.#left++
    else this.#takeInstead(left, right)
    return true
  }

  /** Whether a shared item of `live` stands before its turn: it comes where `given` has it. */
  #comesLater(left: PathElement): boolean {
    const next = this.#shared[this.#next]
    return next !== undefined && next !== left
  }

  #takeLive(element: PathElement): void {
    this.order.push({ from: 'live', index: this.#left++, element })
  }

  #takeBoth(element: PathElement): void {
    this.#left++
    this.order.push({ from: 'given', index: this.#right++, element })
    this.#taken.add(element)
    this.#next++
  }

  #takeGiven(element: PathElement): void {
    this.order.push({ from: 'given', index: this.#right++, element })
    this.#taken.add(element)
    if (this.#shared[this.#next] === element) this.#next++
  }

  /** `given` has something before the shared item that `live` is at; if that one was taken before, it is a repetition. */
  #takeInstead(left: PathElement, right: PathElement): void {
    if (this.#taken.has(left)) this.#left++
    this.#takeGiven(right)
  }
}
