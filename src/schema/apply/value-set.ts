import type { JsonObject, JsonValue } from '../declaration.js'
import { isEmptyObject, isList, isObject } from '../json-value.js'
import { compareText } from '../text-order.js'
import { compareElements, type Element, fieldElement } from './element.js'
import { emptySet, type FieldSet, leaf } from './field-set.js'
import { itemElement } from './items.js'
import { emptyBranch, markedBranch, type PooledBranch } from './set-pool.js'
import { anything, isAtomic, type ListShape, memberShape, read, type Shape, type StructShape } from './shape.js'

/**
 * The fields of a value. There are two answers, because owning a field is one thing and having made it another:
 *
 * - `configuredFields`: what someone owns who applies the value. Objects and lists on the way to a field are not among them:
 *   who sets `.spec.replicas` does not claim `.spec`.
 * - `allFields`: everything that is there, which is what someone has added who made it.
 */

/** The fields that an applied configuration names. */
export function configuredFields(shape: StructShape, configuration: JsonObject): FieldSet {
  return configured(shape, configuration, emptyBranch()) ?? emptySet
}

/** Undefined if nothing in `value` can be owned, such as an empty list whose items have owners, and `start` holds nothing. */
function configured(shape: Shape, value: JsonValue, start: PooledBranch): FieldSet | undefined {
  if (isLeaf(shape, value)) return leaf
  const end = addConfigured(start, shape, value)
  return end.isEmpty ? undefined : end.set
}

/** Null and an empty map are values that can be owned like a scalar. */
function isLeaf(shape: Shape, value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || isAtomic(shape)) return true
  return isObject(value) ? isEmptyObject(value) : shape.is === 'any'
}

function addConfigured(start: PooledBranch, shape: Shape, value: JsonValue): PooledBranch {
  if (isObject(value)) return addMembers(start, shape, value, configuredMember)
  return shape.is === 'list' && isList(value)
    ? addItems(start, shape, value, (item) => configured(shape.of, item, markedBranch()) ?? leaf)
    : start
}

/** Declared fields are not owned by who configures something in them; the keys of a map are, as are list items. */
function configuredMember(shape: Shape, value: JsonValue, declared: boolean): FieldSet | undefined {
  return configured(shape, value, declared ? emptyBranch() : markedBranch())
}

/** The branch of a value that is there as a whole: every field of it, objects and lists included. */
export function allFields(shape: Shape, value: JsonValue): FieldSet {
  if (shape.is === 'scalar' || typeof value !== 'object' || value === null || isAtomic(shape)) return leaf
  return addAll(markedBranch(), shape, value).set
}

/** The same without the field at the root of the branch. */
export function allFieldsBelow(shape: Shape, value: JsonValue): FieldSet {
  return addAll(emptyBranch(), shape, value).set
}

function addAll(start: PooledBranch, shape: Shape, value: JsonValue): PooledBranch {
  if (isObject(value)) return addMembers(start, shape, value, allFields)
  return shape.is === 'list' && isList(value)
    ? addItems(start, shape, value, (item) => allFields(shape.of, item))
    : start
}

type BranchOfMember = (shape: Shape, value: JsonValue, declared: boolean) => FieldSet | undefined

function addMembers(start: PooledBranch, shape: Shape, value: JsonObject, branchOf: BranchOfMember): PooledBranch {
  if (shape.is === 'struct' && !shape.others) return addFields(start, shape, value, branchOf)
  let set = start
  for (const key of inOrder(Object.keys(value))) {
    const declared = shape.is === 'struct' && shape.field.has(key)
    const branch = branchOf(shapeOfMember(shape, key), value[key]!, declared)
    if (branch) set = set.with(fieldElement(key), branch)
  }
  return set
}

/** Declared fields stand in order already. */
function addFields(
  start: PooledBranch,
  struct: StructShape,
  value: JsonObject,
  branchOf: BranchOfMember,
): PooledBranch {
  let set = start
  for (const field of struct.fields) {
    const member = read(value, field)
    if (member === undefined) continue
    const branch = typeof member === 'object' ? branchOf(field.shape, member, true) : leaf
    if (branch) set = set.with(field.element, branch)
  }
  return set
}

function shapeOfMember(shape: Shape, key: string): Shape {
  if (shape.is === 'map') return shape.of
  return shape.is === 'struct' ? (memberShape(shape, key) ?? anything) : anything
}

function inOrder(keys: string[]): readonly string[] {
  for (let i = 1; i < keys.length; i++) if (compareText(keys[i - 1]!, keys[i]!) > 0) return keys.sort(compareText)
  return keys
}

/** Of items that come twice only that they are there can be owned, not what is in them. */
function addItems(
  start: PooledBranch,
  list: ListShape,
  items: readonly JsonValue[],
  branchOf: (item: JsonValue) => FieldSet,
): PooledBranch {
  let set = start
  const elements = items.map((item) => itemElement(list, item))
  const order = itemOrder(elements)
  for (let first = 0, end = 0; first < order.length; first = end) {
    const element = elements[order[first]!]!
    for (end = first + 1; end < order.length && elements[order[end]!] === element; ) end++
    set = set.with(element, end - first > 1 ? leaf : branchOf(items[order[first]!]!))
  }
  return set
}

/** The places of the elements, sorted. */
function itemOrder(elements: readonly Element[]): readonly number[] {
  if (elements.length === 1) return onlyOne
  const order = elements.map((_, index) => index)
  const isInOrder = elements.every(
    (element, index) => index === 0 || compareElements(elements[index - 1]!, element) <= 0,
  )
  return isInOrder ? order : order.sort((a, b) => compareElements(elements[a]!, elements[b]!))
}

const onlyOne: readonly number[] = [0]
