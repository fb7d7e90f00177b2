import type { JsonObject, JsonValue } from '../../declaration.js'
import { goTypeOf } from '../../go-text.js'
import { isObject } from '../../json-value.js'
import { type DraftSet, emptySet, type FieldSet, isEmptySet, leaf, orderedSet, self, withSelf } from './field-set.js'
import { compareElements, ElementError, type PathElement, readElement } from './path-element.js'
import { type PooledBranch, type SetPart, SetPool } from './set-pool.js'

/** A value of `fieldsV1` that is not a set of fields. */
export class FieldsV1Error extends Error {}

/** Sets that are known to be canonical, so that those of stored objects are not checked again with every write. */
const canonical = new WeakSet<FieldSet>()

/** Reads the set in `fieldsV1`. Drops elements of an unknown kind. */
export function readFieldsV1(value: JsonValue | undefined): FieldSet {
  if (value === undefined || value === null) return emptySet
  const map = asMap(value)
  if (canonical.has(map as FieldSet)) return map as FieldSet
  return (Object.hasOwn(map, self) ? undefined : knownSet(map, '')) ?? readElements(map)
}

/** Returns the stored form of a set, which is the set itself. */
export function writeFieldsV1(set: FieldSet): JsonObject {
  canonical.add(set)
  return set
}

function asMap(value: JsonValue): JsonObject {
  if (isObject(value)) return value
  throw new FieldsV1Error(`a set of fields must be an object, not ${goTypeOf(value)}`)
}

/** Sets that were read before. Most sets were written by this server, for the same object or others of its template. */
const known = new SetPool((parts, _: PathElement) => canonicalSet(parts))

/** The set below `element`, or undefined if it is not in canonical form. */
function knownSet(map: JsonObject, element: PathElement): FieldSet | undefined {
  let set: PooledBranch<FieldSet | undefined> | undefined
  for (const part in map) {
    const below = map[part]
    const branch = isObject(below) ? knownSet(below, part) : undefined
    if (!branch) return undefined
    set = (set ?? known.start(element)).with(part, branch)
  }
  return set ? set.set : leaf
}

function canonicalSet(parts: readonly SetPart[]): FieldSet | undefined {
  const set: DraftSet = {}
  let last: PathElement | undefined
  for (const { name, branch } of parts) {
    if (!isCanonical(name, branch) || (last !== undefined && compareElements(last, name) >= 0)) return undefined
    set[name] = branch
    last = name
  }
  return last === self ? undefined : set
}

function isCanonical(element: PathElement, below: FieldSet): boolean {
  if (element === self) return isEmptySet(below)
  try {
    return readElement(element) === element
  } catch (error) {
    if (error instanceof ElementError) return false
    throw error
  }
}

function readElements(map: JsonObject): FieldSet {
  const branches = new Map<PathElement, FieldSet>()
  for (const text of Object.keys(map)) {
    const element = text === self ? undefined : readKnown(text)
    if (element !== undefined) branches.set(element, readBranch(map[text]!))
  }
  return orderedSet([...branches.keys()], (element) => branches.get(element)!)
}

function readBranch(value: JsonValue): FieldSet {
  if (value === null) return leaf
  const map = asMap(value)
  const below = readElements(map)
  return Object.hasOwn(map, self) ? withSelf(below) : below
}

function readKnown(text: string): PathElement | undefined {
  try {
    return readElement(text)
  } catch (error) {
    if (error instanceof ElementError) throw new FieldsV1Error(`parsing key as path element: ${error.message}`)
    throw error
  }
}
