import type { JsonObject, JsonValue } from '../declaration.js'
import { compareElements, type Element, fieldElement } from './element.js'
import { type DraftSet, emptySet, type FieldSet, hasBelow, isEmpty, leaf, withSelf } from './field-set.js'
import { itemElement } from './items.js'
import { anything, isAtomic, type ListShape, read, type Shape, type StructShape } from './shape.js'
import { isEmptyMap, isList, isMap } from './value.js'

/**
 * The fields of a value. There are two answers, because owning a field is one thing and having made it another:
 *
 * - `configuredFields`: what someone owns who applies the value. Objects and lists on the way to a field are not among them:
 *   who sets `.spec.replicas` does not claim `.spec`.
 * - `allFields`: everything that is there, which is what someone has added who made it.
 */

/** The fields that an applied configuration names. */
export function configuredFields(shape: StructShape, configuration: JsonObject): FieldSet {
  return configured(shape, configuration) ?? emptySet
}

/** Undefined if nothing in `value` can be owned, such as an empty list whose items have owners. */
function configured(shape: Shape, value: JsonValue): FieldSet | undefined {
  if (isAtomic(shape)) return leaf
  switch (shape.is) {
    case 'list':
      return isList(value) ? configuredItems(shape, value) : undefined
    case 'any':
      return isMap(value) ? configuredMembers(value, memberOfMap(shape)) : leaf
    case 'map':
      return isMap(value) ? configuredMembers(value, memberOfMap(shape.of)) : undefined
    case 'struct':
      return isMap(value) ? configuredStruct(shape, value) : undefined
    default:
      return leaf
  }
}

function configuredStruct(struct: StructShape, value: JsonObject): FieldSet | undefined {
  if (struct.others) return configuredMembers(value, memberOfStruct(struct, struct.others))
  const set: DraftSet = {}
  for (const field of struct.fields) {
    const member = read(value, field)
    const branch = member === undefined ? undefined : configuredField(field.shape, member)
    if (branch) set[field.element] = branch
  }
  return isEmpty(set) ? undefined : set
}

/** Null and an empty map are values that can be owned like a scalar. */
function configuredField(shape: Shape, value: JsonValue): FieldSet | undefined {
  return value === null || (isMap(value) && isEmptyMap(value)) ? leaf : configured(shape, value)
}

type MemberBranch = (key: string, value: JsonValue) => FieldSet | undefined

function configuredMembers(value: JsonObject, branchOf: MemberBranch): FieldSet | undefined {
  const branches: [Element, FieldSet][] = []
  for (const key of Object.keys(value)) {
    const branch = branchOf(key, value[key]!)
    if (branch) branches.push([fieldElement(key), branch])
  }
  return sorted(branches)
}

/** The keys of a map are always owned by who configures them. */
function memberOfMap(of: Shape): MemberBranch {
  return (_, value) => withSelf(configuredField(of, value) ?? leaf)
}

function memberOfStruct(struct: StructShape, others: Shape): MemberBranch {
  const other = memberOfMap(others)
  return (key, value) => {
    const field = struct.field.get(key)
    return field ? configuredField(field.shape, value) : other(key, value)
  }
}

function sorted(branches: [Element, FieldSet][]): FieldSet | undefined {
  if (branches.length === 0) return undefined
  if (branches.length > 1) branches.sort(([a], [b]) => compareElements(a, b))
  const set: DraftSet = {}
  for (const [element, branch] of branches) set[element] = branch
  return set
}

/** Items are always owned by who configures them. Of items that come twice only that they are there, not what is in them. */
function configuredItems(list: ListShape, items: readonly JsonValue[]): FieldSet | undefined {
  return itemBranches(list, items, (item) => withSelf(configured(list.of, item) ?? leaf))
}

function itemBranches(
  list: ListShape,
  items: readonly JsonValue[],
  branchOf: (item: JsonValue) => FieldSet,
): FieldSet | undefined {
  const found = new Map<Element, FieldSet>()
  for (const item of items) {
    const element = itemElement(list, item)
    found.set(element, found.has(element) ? leaf : branchOf(item))
  }
  return sorted([...found])
}

/** The branch of a value that is there as a whole: every field of it, objects and lists included. */
export function allFields(shape: Shape, value: JsonValue): FieldSet {
  if (shape.is === 'scalar' || typeof value !== 'object' || value === null) return leaf
  if (isList(value)) return shape.is === 'list' && shape.items !== 'atomic' ? allItems(shape, value) : leaf
  return isMap(value) ? allMembers(shape, value) : leaf
}

function allItems(list: ListShape, items: readonly JsonValue[]): FieldSet {
  return marked(itemBranches(list, items, (item) => allFields(list.of, item)))
}

function allMembers(shape: Shape, value: JsonObject): FieldSet {
  if (shape.is === 'list' || shape.is === 'scalar' || shape.atomic) return leaf
  if (shape.is === 'struct' && !shape.others) return allOfStruct(shape, value)
  return marked(configuredMembers(value, (key, member) => allFields(shapeOfMember(shape, key), member)))
}

function shapeOfMember(shape: Shape, key: string): Shape {
  if (shape.is === 'map') return shape.of
  return shape.is === 'struct' ? (shape.field.get(key)?.shape ?? shape.others ?? anything) : anything
}

/** By far the most common case, and on the path of every creation. */
function allOfStruct(struct: StructShape, value: JsonObject): FieldSet {
  const set: DraftSet = { '.': leaf }
  for (const field of struct.fields) {
    const member = read(value, field)
    if (member !== undefined) set[field.element] = allFields(field.shape, member)
  }
  return hasBelow(set) ? set : leaf
}

function marked(below: FieldSet | undefined): FieldSet {
  return below ? { '.': leaf, ...below } : leaf
}
