import type { JsonObject, JsonValue } from '../../declaration.js'
import { goText } from '../../go-text.js'
import { isList, isObject } from '../../json-value.js'
import { quote } from '../../quote.js'
import { compareText } from '../../text-order.js'
import { canonicalJson } from '../canonical-json.js'

/**
 * One step of a path into an object, in its JSON form:
 *
 *     f:replicas             the field or map key `replicas`
 *     k:{"name":"web"}       the list item with this key; several keys are sorted
 *     v:"example.com/hold"   the item of a set that has this value
 *     i:0                    the item at this index; read, but never written
 *
 * The text is canonical: two elements are equal exactly if their texts are.
 */
export type PathElement = string

export function fieldElement(name: string): PathElement {
  return `f:${name}`
}

export function valueElement(value: JsonValue): PathElement {
  return `v:${canonicalJson(value)}`
}

export function keyElement(key: JsonObject): PathElement {
  return `k:${canonicalJson(key)}`
}

export function indexElement(index: number): PathElement {
  return `i:${index}`
}

/** A text that is not a path element. */
export class ElementError extends Error {}

/** Reads an element and returns its canonical form. Undefined if its kind is unknown. */
export function readElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new ElementError('key must be 2 characters long:')
  if (text[1] !== ':') throw new ElementError(`missing colon: ${text}`)
  const content = text.slice(2)
  switch (text[0]) {
    case 'f':
      return text
    case 'v':
      return valueElement(readJson(content))
    case 'k':
      return keyElement(readKey(content))
    case 'i':
      return readIndex(content)
    default:
      return undefined
  }
}

function readJson(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ElementError(`${error instanceof Error ? error.message : error}`)
  }
}

function readKey(text: string): JsonObject {
  const key = readJson(text)
  if (!isObject(key)) throw new ElementError(`a key must be an object: ${text}`)
  return key
}

function readIndex(text: string): PathElement {
  if (!/^[+-]?\d+$/.test(text)) throw new ElementError(`strconv.Atoi: parsing ${quote(text)}: invalid syntax`)
  return indexElement(Number.parseInt(text, 10))
}

/** Orders fields before keys, values and indices, and within each kind by name or value, numbers as numbers. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0
  if (a[0] !== b[0]) return kinds.indexOf(a[0]!) - kinds.indexOf(b[0]!)
  return a[0] === 'f' ? compareText(a, b) : (compareTexts(a, b) ?? compareContents(a, b))
}

/** The kinds in order. The mark `.` comes before all elements. */
const kinds = '.fkvi'

/**
 * Fast path: most keys differ within a string or a number, where the texts can be compared directly. Undefined where they differ
 * elsewhere: in an escape, or because one has more parts.
 */
function compareTexts(a: PathElement, b: PathElement): number | undefined {
  let inString = false
  const length = Math.min(a.length, b.length)
  for (let i = 2; i < length; i++) {
    const character = a[i]!
    if (character !== b[i]) return inString ? compareStringsAt(a, b, i) : compareNumbersAt(a, b, i)
    if (character === '\\') return undefined
    if (character === '"') inString = !inString
  }
  return undefined
}

function compareStringsAt(a: PathElement, b: PathElement, at: number): number | undefined {
  if (a[at] === '\\' || b[at] === '\\') return undefined
  if (a[at] === '"') return -1
  return b[at] === '"' ? 1 : compareText(a.slice(at), b.slice(at))
}

/** Compares the integers that start at or before `at`. Undefined unless both texts have one there and they differ. */
function compareNumbersAt(a: PathElement, b: PathElement, at: number): number | undefined {
  let start = at
  while (isDigit(a.charCodeAt(start - 1))) start--
  if (a[start - 1] === '-') start--
  const left = wholeNumber.exec(a.slice(start))?.[0]
  const right = wholeNumber.exec(b.slice(start))?.[0]
  if (left === undefined || right === undefined || left === right) return undefined
  return Number(left) - Number(right)
}

const wholeNumber = /^-?\d{1,15}(?=[,}])/

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39
}

function compareContents(a: PathElement, b: PathElement): number {
  const left: JsonValue = JSON.parse(a.slice(2))
  const right: JsonValue = JSON.parse(b.slice(2))
  return isObject(left) && isObject(right) ? compareMaps(left, right) : compareValues(left, right)
}

/** Numbers come first, then strings, booleans, lists, maps and null. */
function compareValues(a: JsonValue, b: JsonValue): number {
  const types = typeRank(a) - typeRank(b)
  if (types !== 0) return types
  if (typeof a === 'string') return compareText(a, b as string)
  if (isList(a)) return compareLists(a, b as readonly JsonValue[])
  if (isObject(a)) return compareMaps(a, b as JsonObject)
  return Number(a) - Number(b)
}

function typeRank(value: JsonValue): number {
  if (value === null) return 5
  if (isObject(value)) return 4
  if (isList(value)) return 3
  return ['number', 'string', 'boolean'].indexOf(typeof value)
}

function compareLists(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  for (const [index, item] of a.entries()) {
    if (index >= b.length) return 1
    const items = compareValues(item, b[index]!)
    if (items !== 0) return items
  }
  return a.length - b.length
}

/** Compares maps as flat lists of alternating names and values. */
function compareMaps(a: JsonObject, b: JsonObject): number {
  return compareLists(flatten(a), flatten(b))
}

function flatten(map: JsonObject): JsonValue[] {
  return Object.keys(map)
    .sort(compareText)
    .flatMap((key) => [key, map[key]!] as JsonValue[])
}

/** Formats an element for messages: `.replicas`, `[name="web"]`, `[="x"]`, `[0]`. */
export function printElement(element: PathElement): string {
  const content = element.slice(2)
  switch (element[0]) {
    case 'f':
      return `.${content}`
    case 'k':
      return `[${printKey(JSON.parse(content))}]`
    case 'v':
      return `[=${printValue(JSON.parse(content))}]`
    default:
      return `[${content}]`
  }
}

function printKey(key: JsonObject): string {
  return Object.keys(key)
    .map((name) => `${name}=${printValue(key[name]!)}`)
    .join(',')
}

function printValue(value: JsonValue): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return goText(value)
  if (isList(value)) return `[${value.map(printValue).join(',')}]`
  if (isObject(value))
    return Object.keys(value)
      .map((key) => `${key}=${printValue(value[key]!)}`)
      .join('')
  return String(value)
}
