import type { JsonObject, JsonValue } from '../declaration.js'
import { isList, isObject, memberOf } from '../json-value.js'
import { quote } from '../quote.js'
import { type Element, valueElement } from './element.js'
import type { KeyField, ListShape } from './shape.js'
import { jsonText } from './text.js'

/** A list item that cannot be told apart from others. */
export class ItemError extends Error {}

/** The path element of an item of a set or a keyed list. */
export function itemElement(list: ListShape, item: JsonValue): Element {
  if (list.items === 'keyed') return keyedElement(list, item)
  if (typeof item !== 'object') return valueElement(item)
  if (item === null) throw new ItemError("associative list without keys has an element that's an explicit null")
  if (isList(item)) throw new ItemError('not supported: associative list with lists as elements')
  throw new ItemError("associative list without keys has an element that's a map type")
}

function keyedElement(list: ListShape, item: JsonValue): Element {
  if (item === null) throw new ItemError('associative list with keys may not have a null element')
  if (!isObject(item)) throw new ItemError('associative list with keys may not have non-map elements')
  let parts = ''
  for (const key of list.keys) {
    const value = keyValue(item, key)
    if (value !== undefined) parts += `${parts && ','}${key.label}${jsonText(value)}`
  }
  if (parts) return `k:{${parts}}`
  const names = list.keyNames.map(quote).join(' ')
  throw new ItemError(
    `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  )
}

/** A key that is left out and has no default is no part of the path: the item is another one than with that key. */
function keyValue(item: JsonObject, key: KeyField): JsonValue | undefined {
  return memberOf(item, key.name) ?? (Object.hasOwn(item, key.name) ? null : key.default)
}

/** The items of a list by their elements. An element that comes more than once has several. */
export type Items = Map<Element, JsonValue[]>

export function itemsByElement(list: ListShape, items: readonly JsonValue[]): Items {
  const byElement: Items = new Map()
  for (const item of items) {
    const element = itemElement(list, item)
    const same = byElement.get(element)
    if (same) same.push(item)
    else byElement.set(element, [item])
  }
  return byElement
}
