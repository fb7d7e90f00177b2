import type { Element } from './element.js'

/** The elements of a list's items, in its order. */
export type Side = readonly Element[]

/** Where an item of the merged list comes from. Items that both have come from `given`. */
export interface Origin {
  readonly from: 'live' | 'given'
  readonly index: number
  readonly element: Element
}

/**
 * The order of the items when `given` is merged into `live`: all of `given` in its own order, and those that only `live` has
 * about where they were. `live` may have an element more than once; one that `given` has too is then there only once.
 */
export function mergedOrder(live: Side, given: Side): readonly Origin[] {
  const walk = new Walk(live, given)
  while (walk.step()) {}
  return walk.order
}

class Walk {
  readonly order: Origin[] = []
  readonly #live: Side
  readonly #given: Side
  readonly #inGiven: ReadonlySet<Element>
  /** What both have, in the order of `given`. */
  readonly #shared: readonly Element[]
  readonly #taken = new Set<Element>()
  #left = 0
  #right = 0
  /** The place among the shared of the one that is to come next. */
  #next = 0

  constructor(live: Side, given: Side) {
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
  #comesLater(left: Element): boolean {
    const next = this.#shared[this.#next]
    return next !== undefined && next !== left
  }

  #takeLive(element: Element): void {
    this.order.push({ from: 'live', index: this.#left++, element })
  }

  #takeBoth(element: Element): void {
    this.#left++
    this.order.push({ from: 'given', index: this.#right++, element })
    this.#taken.add(element)
    this.#next++
  }

  #takeGiven(element: Element): void {
    this.order.push({ from: 'given', index: this.#right++, element })
    this.#taken.add(element)
    if (this.#shared[this.#next] === element) this.#next++
  }

  /** `given` has something before the shared item that `live` is at; if that one was taken before, it is a repetition. */
  #takeInstead(left: Element, right: Element): void {
    if (this.#taken.has(left)) this.#left++
    this.#takeGiven(right)
  }
}
