import type { JsonValue } from '../../declaration.js'
import { canonicalJson } from '../canonical-json.js'
import type { PathElement } from '../field-set/path-element.js'
import type { KeyField, ListShape } from './shape.js'

/** The keys of an item, as far as they have been looked at. Items of many objects have the same: their elements are made once. */
export class ItemKeys {
  readonly #text: string
  /** Undefined for an item without keys. */
  readonly element: PathElement | undefined
  #longer: Map<JsonValue | undefined, ItemKeys> | undefined

  constructor(text: string) {
    grow(text)
    this.#text = text
    this.element = text ? `k:{${text}}` : undefined
  }

  /** The same and one more; undefined for a key that the item does not have. */
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

/** Keys are anybody's to choose, so all are forgotten when they have come to this many characters. */
const maximumSize = 500_000

/** Besides its text. */
const sizeOfKeys = 80

let size = 0
let byList = new Map<ListShape, ItemKeys>()

function grow(text: string): void {
  size += sizeOfKeys + text.length
  if (size <= maximumSize) return
  size = 0
  byList = new Map()
}

/** No keys yet of an item of this list. */
export function noKeys(list: ListShape): ItemKeys {
  const known = byList.get(list)
  if (known) return known
  const keys = new ItemKeys('')
  byList.set(list, keys)
  return keys
}
