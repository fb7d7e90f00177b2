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
 * The fields of a value, in two variants:
 *
 * - `configuredFields`: the fields that an applier of the value owns. Objects and lists that lead to a field are not among them: an
 *   applier of `.spec.replicas` does not own `.spec`.
 * - `allFields`: all existing fields, which the creator of the value has added.
 *
 * Both iterate over existing members, because a type declares many more.
 */

/** The fields that an applier of `configuration` owns. */
export function configuredFields(shape: StructShape, configuration: JsonObject): FieldSet {
  return configured(shape, configuration, emptyPartSet) ?? emptySet
}

/** Creates the set to which the parts of a value are added. */
type Start = (shape: ValueShape) => PartSet

/** Undefined if no part of `value` can be owned, such as an empty list whose items have owners. */
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

/** An applier of a part owns the map keys and list items that lead to it, but not the declared fields. */
function configuredPart(shape: ValueShape, value: JsonValue, declared: boolean): FieldSet | undefined {
  return declared ? configured(shape, value, emptyPartSet) : (configured(shape, value, wholePartSet) ?? leaf)
}

/** The branch of all fields of a value, including objects and lists. */
export function allFields(shape: ValueShape, value: JsonValue): FieldSet {
  if (typeof value !== 'object' || value === null || isAtomic(shape)) return leaf
  return addParts(wholePartSet, shape, value, allFields).set
}

/** The branch of all fields of a value, without its root. */
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

/** Only the existence of duplicate items can be owned, not their contents. */
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
