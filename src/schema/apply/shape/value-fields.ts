import type { JsonObject, JsonValue } from '../../declaration.js'
import { isEmptyObject, isList, isObject } from '../../json-value.js'
import { emptySet, type FieldSet, leaf } from '../field-set/field-set.js'
import { emptyPartSet, type PartSet, wholePartSet } from '../field-set/part-sets.js'
import { distinctElements, itemsByElement } from './items.js'
import {
  anyShape,
  isAtomic,
  isDeclared,
  type ListShape,
  memberShape,
  type StructShape,
  type ValueShape,
} from './shape.js'

/**
 * The fields of a value. There are two answers, because owning a field is one thing and having made it another:
 *
 * - `configuredFields`: what someone owns who applies the value. Objects and lists on the way to a field are not among them:
 *   who sets `.spec.replicas` does not claim `.spec`.
 * - `allFields`: everything that is there, which is what someone has added who made it.
 *
 * Both go through the members that a value has; its type declares many more.
 */

/** The fields that an applied configuration names. */
export function configuredFields(shape: StructShape, configuration: JsonObject): FieldSet {
  return configured(shape, configuration, emptyPartSet) ?? emptySet
}

/** What is in a set before the parts of a value are added. */
type Start = (shape: ValueShape) => PartSet

/** Undefined if no part of `value` can be owned, as of an empty list whose items have owners. */
function configured(shape: ValueShape, value: JsonValue, start: Start): FieldSet | undefined {
  if (isLeaf(shape, value)) return leaf
  const end = addParts(start, shape, value, configuredPart)
  return end.isEmpty ? undefined : end.set
}

/** Null and an empty map are values that can be owned like a scalar. */
function isLeaf(shape: ValueShape, value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || isAtomic(shape)) return true
  return isObject(value) ? isEmptyObject(value) : shape.is === 'any'
}

/** Declared fields are not owned by who configures something in them; the keys of a map are, as are list items. */
function configuredPart(shape: ValueShape, value: JsonValue, declared: boolean): FieldSet | undefined {
  return declared ? configured(shape, value, emptyPartSet) : (configured(shape, value, wholePartSet) ?? leaf)
}

/** The branch of a value that is there as a whole: every field of it, objects and lists included. */
export function allFields(shape: ValueShape, value: JsonValue): FieldSet {
  if (typeof value !== 'object' || value === null || isAtomic(shape)) return leaf
  return addParts(wholePartSet, shape, value, allFields).set
}

/** The same without the field at the root of the branch. */
export function allFieldsBelow(shape: ValueShape, value: JsonValue): FieldSet {
  return addParts(emptyPartSet, shape, value, allFields).set
}

type BranchOfPart = (shape: ValueShape, value: JsonValue, declared: boolean) => FieldSet | undefined

function addParts(start: Start, shape: ValueShape, value: JsonValue, branchOf: BranchOfPart): PartSet {
  if (isObject(value)) {
    const container = shape.is === 'list' ? anyShape : shape
    return addMembers(start(container), container, value, branchOf)
  }
  return shape.is === 'list' && isList(value) ? addItems(start(shape), shape, value, branchOf) : start(shape)
}

function addMembers(start: PartSet, shape: ValueShape, value: JsonObject, branchOf: BranchOfPart): PartSet {
  let set = start
  for (const name in value) {
    const member = value[name]
    const of = memberShape(shape, name)
    if (member === undefined || !of) continue
    const branch = typeof member === 'object' ? branchOf(of, member, isDeclared(shape, name)) : leaf
    if (branch) set = set.with(name, branch)
  }
  return set
}

/** Of items that come twice only that they are there can be owned, not what is in them. */
function addItems(start: PartSet, list: ListShape, items: readonly JsonValue[], branchOf: BranchOfPart): PartSet {
  let set = start
  const elements = distinctElements(list, items)
  if (elements)
    for (let i = 0; i < items.length; i++) set = set.with(elements[i]!, branchOf(list.of, items[i]!, false) ?? leaf)
  else
    for (const [element, same] of itemsByElement(list, items))
      set = set.with(element, (same.length === 1 && branchOf(list.of, same[0]!, false)) || leaf)
  return set
}
