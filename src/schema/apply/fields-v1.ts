import type { JsonObject, JsonValue } from '../declaration.js'
import { goTypeOf } from '../go-text.js'
import { isObject } from '../json-value.js'
import { compareElements, type Element, ElementError, readElement } from './element.js'
import { emptySet, type FieldSet, isEmpty, leaf, ordered, self, withSelf } from './field-set.js'

/** Something that stands for a set of fields but is none. */
export class FieldsV1Error extends Error {}

/** Sets that are known to be canonical: those of stored objects are looked through once, and not again with every write. */
const canonical = new WeakSet<FieldSet>()

/**
 * The set that someone wrote as `fieldsV1`: the same object if it is canonical. Elements of a kind that is not known here are
 * left out.
 */
export function readFieldsV1(value: JsonValue | undefined): FieldSet {
  if (value === undefined || value === null) return emptySet
  const map = asMap(value)
  if (canonical.has(map as FieldSet)) return map as FieldSet
  const set = !Object.hasOwn(map, self) && isCanonical(map) ? (map as FieldSet) : readElements(map)
  canonical.add(set)
  return set
}

/** The stored form of a set, which is the set itself; it need not be looked through when it is read again. */
export function writeFieldsV1(set: FieldSet): JsonObject {
  canonical.add(set)
  return set
}

function asMap(value: JsonValue): JsonObject {
  if (isObject(value)) return value
  throw new FieldsV1Error(`a set of fields must be an object, not ${goTypeOf(value)}`)
}

function isCanonical(branch: JsonObject): boolean {
  let last: Element | undefined
  for (const element in branch) {
    const below = branch[element]
    if (!isObject(below) || !isCanonicalElement(element, below)) return false
    if (last !== undefined && compareElements(last, element) >= 0) return false
    last = element
  }
  return last !== self
}

function isCanonicalElement(element: Element, below: JsonObject): boolean {
  if (element === self) return isEmpty(below as FieldSet)
  if (!element.startsWith('f:') && readKnown(element) !== element) return false
  return isCanonical(below)
}

function readElements(map: JsonObject): FieldSet {
  const branches = new Map<Element, FieldSet>()
  for (const text of Object.keys(map)) {
    const element = text === self ? undefined : readKnown(text)
    if (element !== undefined) branches.set(element, readBranch(map[text]!))
  }
  return ordered([...branches.keys()], (element) => branches.get(element)!)
}

function readBranch(value: JsonValue): FieldSet {
  if (value === null) return leaf
  const map = asMap(value)
  const below = readElements(map)
  return Object.hasOwn(map, self) ? withSelf(below) : below
}

function readKnown(text: string): Element | undefined {
  try {
    return readElement(text)
  } catch (error) {
    if (error instanceof ElementError) throw new FieldsV1Error(`parsing key as path element: ${error.message}`)
    throw error
  }
}
