import type { JsonObject, JsonValue } from '../../declaration.js'
import { isEmptyObject, isList, isObject, memberOf, setMember } from '../../json-value.js'
import { itemElement, itemsByElement } from './items.js'
import { type ItemOrder, mergedOrder } from './merge-order.js'
import { anyShape, type ListShape, memberShape, type StructShape, type ValueShape } from './shape.js'

/**
 * `live` with what `configuration` says. Nothing is taken away: null for something that has parts leaves the parts alone.
 * Parts that do not change are those of `live` itself, as is the whole if nothing does.
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
