import type { JsonObject, JsonValue } from '../../declaration.js'
import { isEmptyObject, isList, isObject, memberOf, setMember } from '../../json-value.js'
import type { PathElement } from '../field-set/path-element.js'
import { itemElement, itemsByElement } from './items.js'
import { anyShape, type ListShape, memberShape, type StructShape, type ValueShape } from './shape.js'

/**
 * Merges `configuration` into `live`. Removes nothing: null for a value with parts keeps the parts. The result shares unchanged parts
 * with `live`, and is `live` itself if nothing changes.
 */
export function mergeObjects(shape: StructShape, live: JsonObject, configuration: JsonObject): JsonObject {
  return merge(shape, live, configuration) as JsonObject
}

function merge(shape: ValueShape, live: JsonValue, given: JsonValue): JsonValue {
  switch (shape.is) {
    case 'scalar':
      return given
    case 'list':
      return shape.items === 'atomic' ? given : mergeLists(shape, live, given)
    case 'any':
      return isObject(live) && mapOrNull(given) && !shape.atomic ? mergeMaps(shape, live, given) : given
    default:
      return shape.atomic ? given : mergeMaps(shape, live, given)
  }
}

function mapOrNull(value: JsonValue): boolean {
  return value === null || isObject(value)
}

function mergeMaps(shape: ValueShape, live: JsonValue, given: JsonValue): JsonValue {
  if (!isObject(live) || isEmptyObject(live)) return given
  if (!isObject(given)) return live
  let draft: Record<string, JsonValue> | undefined
  for (const key of Object.keys(given)) {
    const before = memberOf(live, key)
    const after = before === undefined ? given[key]! : merge(memberShape(shape, key) ?? anyShape, before, given[key]!)
    if (after === before) continue
    draft ??= { ...live }
    setMember(draft, key, after)
  }
  return draft ?? live
}

function mergeLists(list: ListShape, live: JsonValue, given: JsonValue): JsonValue {
  const left = isList(live) ? live : []
  const right = isList(given) ? given : []
  if (right.length === 0) return left.length === 0 ? given : live
  return left.length === 0 ? given : mergeItems(list, left, right)
}

function mergeItems(list: ListShape, live: readonly JsonValue[], given: readonly JsonValue[]): readonly JsonValue[] {
  const order = mergedOrder(sideOf(list, live), sideOf(list, given))
  const singles = itemsByElement(list, live)
  const merged = order.map(({ from, index, element }) => {
    if (from === 'live') return live[index]!
    const before = singles.get(element) ?? []
    return before.length === 1 ? merge(list.of, before[0]!, given[index]!) : given[index]!
  })
  return merged.length === live.length && merged.every((item, index) => item === live[index]) ? live : merged
}

function sideOf(list: ListShape, items: readonly JsonValue[]): ItemOrder {
  return items.map((item) => itemElement(list, item))
}

/** The elements of a list's items, in its order. */
export type ItemOrder = readonly PathElement[]

/** The origin of an item of the merged list. Items in both lists come from `given`. */
export interface MergedItem {
  readonly from: 'live' | 'given'
  readonly index: number
  readonly element: PathElement
}

/**
 * The order of the items when `given` is merged into `live`: all of `given` in their order, and items that are only in `live` near their
 * old positions. `live` may have duplicates; an element that `given` has as well occurs once in the result.
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
  /** The elements of both lists, in the order of `given`. */
  readonly #shared: readonly PathElement[]
  readonly #taken = new Set<PathElement>()
  #left = 0
  #right = 0
  /** The index in `#shared` of the next element. */
  #next = 0

  constructor(live: ItemOrder, given: ItemOrder) {
    const inLive = new Set(live)
    this.#live = live
    this.#given = given
    this.#inGiven = new Set(given)
    this.#shared = given.filter((element) => inLive.has(element))
  }

  /** Takes or skips one item. Returns false at the end of both lists. */
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

  /** Whether a shared item of `live` comes later in `given`, whose order counts. */
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

  /** Takes the item of `given` that precedes the current shared item of `live`, or skips that one if it is a duplicate. */
  #takeInstead(left: PathElement, right: PathElement): void {
    if (this.#taken.has(left)) this.#left++
    this.#takeGiven(right)
  }
}
