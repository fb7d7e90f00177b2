import type { JsonObject, JsonValue } from '../../declaration.js'
import { isList, isObject, memberOf } from '../../json-value.js'
import { quote } from '../../quote.js'
import { canonicalJson } from '../canonical-json.js'
import { type PathElement, valueElement } from '../field-set/path-element.js'
import type { KeyField, ListShape } from './shape.js'

/** A list item without an identity. */
export class ItemError extends Error {}

/** The path element of an item of a set or a keyed list. */
export function itemElement(list: ListShape, item: JsonValue): PathElement {
  if (list.items === 'keyed') return keyedElement(list, item)
  if (typeof item !== 'object') return valueElement(item)
  if (item === null) throw new ItemError("associative list without keys has an element that's an explicit null")
  if (isList(item)) throw new ItemError('not supported: associative list with lists as elements')
  throw new ItemError("associative list without keys has an element that's a map type")
}

function keyedElement(list: ListShape, item: JsonValue): PathElement {
  if (item === null) throw new ItemError('associative list with keys may not have a null element')
  if (!isObject(item)) throw new ItemError('associative list with keys may not have non-map elements')
  let keys = noKeys(list)
  for (const key of list.keys) keys = keys.with(key, keyValue(item, key))
  if (keys.element) return keys.element
  const names = list.keyNames.map(quote).join(' ')
  throw new ItemError(
    `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  )
}

/** An absent key without a default is not part of the path: the item differs from one that has the key. */
function keyValue(item: JsonObject, key: KeyField): JsonValue | undefined {
  return memberOf(item, key.name) ?? (Object.hasOwn(item, key.name) ? null : key.default)
}

/** The elements of all items, or undefined if they are not distinct. */
export function distinctElements(list: ListShape, items: readonly JsonValue[]): readonly PathElement[] | undefined {
  const elements = new Array<PathElement>(items.length)
  for (let i = 0; i < items.length; i++) elements[i] = itemElement(list, items[i]!)
  return areDistinct(elements) ? elements : undefined
}

/** For short lists, comparing all pairs is faster than building a set. */
function areDistinct(elements: readonly PathElement[]): boolean {
  if (elements.length > 8) return new Set(elements).size === elements.length
  for (let i = 1; i < elements.length; i++) if (elements.indexOf(elements[i]!) < i) return false
  return true
}

/** The items of a list by their elements. Duplicates share an element. */
export type Items = Map<PathElement, JsonValue[]>

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

/** A prefix of an item's keys in a trie, so that the elements of equal items of many objects are created once. */
class ItemKeys {
  readonly #text: string
  /** Undefined for an item without keys. */
  readonly element: PathElement | undefined
  #longer: Map<JsonValue | undefined, ItemKeys> | undefined

  constructor(text: string) {
    grow(text)
    this.#text = text
    this.element = text ? `k:{${text}}` : undefined
  }

  /** Adds a key. `value` is undefined for a key that the item does not have. */
  with(key: KeyField, value: JsonValue | undefined): ItemKeys {
    return this.#longer?.get(value) ?? this.#add(key, value)
  }

  #add({ label }: KeyField, value: JsonValue | undefined): ItemKeys {
    const longer = new ItemKeys(value === undefined ? this.#text : this.#textWith(`${label}${canonicalJson(value)}`))
    this.#longer ??= new Map()
    this.#longer.set(value, longer)
    return longer
  }

  #textWith(key: string): string {
    return this.#text ? `${this.#text},${key}` : key
  }
}

/** The cache is emptied at this number of characters, because clients choose the keys. */
const maximumSize = 500_000

/** The size of an entry without its text. */
const sizeOfKeys = 80

let size = 0
let byList = new Map<ListShape, ItemKeys>()

function grow(text: string): void {
  size += sizeOfKeys + text.length
  if (size <= maximumSize) return
  size = 0
  byList = new Map()
}

/** The root of the trie for a list. */
function noKeys(list: ListShape): ItemKeys {
  const known = byList.get(list)
  if (known) return known
  const keys = new ItemKeys('')
  byList.set(list, keys)
  return keys
}
