import type { JsonObject, JsonValue } from '../../declaration.js'
import { isEmptyObject, isList, isObject, memberOf, sameJson } from '../../json-value.js'
import { emptySet, type FieldSet, leaf, withSelf } from '../field-set/field-set.js'
import { emptyPartSet, type PartSet } from '../field-set/part-sets.js'
import type { PathElement } from '../field-set/path-element.js'
import { distinctElements, type Items, itemElement, itemsByElement } from './items.js'
import { anyShape, type ListShape, memberShape, type StructShape, type ValueShape } from './shape.js'
import { allFields, allFieldsBelow } from './value-fields.js'

/** The changes between two objects. A field can be in both sets: one of two items with the same key may be left. */
export interface FieldChanges {
  /** New fields, and fields with another value. */
  readonly changed: FieldSet
  readonly removed: FieldSet
}

export function compareObjects(shape: StructShape, before: JsonObject, after: JsonObject): FieldChanges {
  const { changed = emptySet, removed = emptySet } = compare(shape, before, after) ?? {}
  return { changed, removed }
}

/** The changes of one branch; members are undefined if they would be empty. */
interface Delta {
  readonly changed?: FieldSet | undefined
  readonly removed?: FieldSet | undefined
}

const changedLeaf: Delta = { changed: leaf }

function compare(shape: ValueShape, before: JsonValue | undefined, after: JsonValue | undefined): Delta | undefined {
  if (before === after) return undefined
  if (before === undefined) return added(shape, after!)
  if (after === undefined) return { removed: allFields(shape, before) }
  switch (shape.is) {
    case 'scalar':
      return compareWhole(before, after)
    case 'list':
      return shape.items === 'atomic' ? compareWhole(before, after) : compareLists(shape, before, after)
    case 'any':
      return shape.atomic ? compareWhole(before, after) : compareAnything(before, after)
    default:
      return shape.atomic ? compareWhole(before, after) : compareMaps(shape, before, after)
  }
}

function added(shape: ValueShape, value: JsonValue): Delta {
  const changed = allFields(shape, value)
  return changed === leaf ? changedLeaf : { changed }
}

function compareWhole(before: JsonValue, after: JsonValue): Delta | undefined {
  return sameJson(before, after) ? undefined : changedLeaf
}

type Container = Exclude<ValueShape, { is: 'scalar' } | { is: 'list' }>

/** Null counts as empty. The difference between null and empty only counts if both sides are one of these. */
function compareMaps(shape: Container, before: JsonValue, after: JsonValue): Delta | undefined {
  const left = isObject(before) ? before : noMembers
  const right = isObject(after) ? after : noMembers
  if (isEmptyObject(left))
    return isEmptyObject(right) ? compareWhole(before, after) : { changed: allFieldsBelow(shape, right) }
  return isEmptyObject(right) ? { removed: allFieldsBelow(shape, left) } : compareMembers(shape, left, right)
}

const noMembers: JsonObject = {}

/** Iterates over existing members, because a type declares many more. */
function compareMembers(shape: Container, before: JsonObject, after: JsonObject): Delta | undefined {
  let draft: DraftDelta | undefined
  for (const name in after) {
    if (after[name] === before[name]) continue
    const delta = compareMember(shape, name, memberOf(before, name), after[name])
    if (delta) draft = (draft ?? new DraftDelta(shape)).with(name, delta)
  }
  for (const name in before) {
    if (Object.hasOwn(after, name)) continue
    const delta = compareMember(shape, name, before[name], undefined)
    if (delta) draft = (draft ?? new DraftDelta(shape)).with(name, delta)
  }
  return draft?.delta
}

function compareMember(
  shape: Container,
  name: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Delta | undefined {
  const of = memberShape(shape, name)
  return of && compare(of, before, after)
}

/** Builds the changes from pooled sets, because objects of one template change in the same way again and again. */
class DraftDelta {
  #changed: PartSet
  #removed: PartSet

  constructor(shape: ValueShape) {
    this.#changed = emptyPartSet(shape)
    this.#removed = this.#changed
  }

  /** Adds the changes of the member or item `name`. */
  with(name: string, { changed, removed }: Delta): this {
    if (changed) this.#changed = this.#changed.with(name, changed)
    if (removed) this.#removed = this.#removed.with(name, removed)
    return this
  }

  get delta(): Delta {
    return {
      changed: this.#changed.isEmpty ? undefined : this.#changed.set,
      removed: this.#removed.isEmpty ? undefined : this.#removed.set,
    }
  }
}

/**
 * An undeclared value may change its type. Then the field itself has changed, and the members of a map have been added or removed.
 */
function compareAnything(before: JsonValue, after: JsonValue): Delta | undefined {
  if (!isObject(before) && !isObject(after)) return compareWhole(before, after)
  const members = compareMaps(anyShape, before, after)
  if (mapOrNull(before) && mapOrNull(after)) return members
  return { changed: withSelf(members?.changed ?? leaf), removed: members?.removed }
}

function mapOrNull(value: JsonValue): boolean {
  return value === null || isObject(value)
}

function compareLists(list: ListShape, before: JsonValue, after: JsonValue): Delta | undefined {
  const left = isList(before) ? before : []
  const right = isList(after) ? after : []
  if (left.length === 0)
    return right.length === 0 ? compareWhole(before, after) : { changed: allFieldsBelow(list, right) }
  if (right.length === 0) return { removed: allFieldsBelow(list, left) }
  const elements = distinctElements(list, left)
  return elements && areElementsOf(list, right, elements)
    ? compareItemsInPlace(list, elements, left, right)
    : compareItems(list, itemsByElement(list, left), itemsByElement(list, right))
}

function areElementsOf(list: ListShape, items: readonly JsonValue[], elements: readonly PathElement[]): boolean {
  if (items.length !== elements.length) return false
  for (let i = 0; i < items.length; i++) if (itemElement(list, items[i]!) !== elements[i]) return false
  return true
}

/** Fast path: most lists have the same distinct items in the same order. */
function compareItemsInPlace(
  list: ListShape,
  elements: readonly PathElement[],
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): Delta | undefined {
  let draft: DraftDelta | undefined
  for (let i = 0; i < elements.length; i++) {
    const delta = compare(list.of, before[i], after[i])
    if (delta) draft = (draft ?? new DraftDelta(list)).with(elements[i]!, delta)
  }
  return draft?.delta
}

function compareItems(list: ListShape, before: Items, after: Items): Delta | undefined {
  let draft: DraftDelta | undefined
  for (const element of new Set([...before.keys(), ...after.keys()])) {
    const delta = compareItem(list.of, before.get(element) ?? [], after.get(element) ?? [])
    if (delta) draft = (draft ?? new DraftDelta(list)).with(element, delta)
  }
  return draft?.delta
}

/**
 * Only the existence of duplicate items has owners. Such a group changes as a whole. When a single item becomes a group or the reverse,
 * the item counts as removed or added.
 */
function compareItem(of: ValueShape, before: readonly JsonValue[], after: readonly JsonValue[]): Delta | undefined {
  const groupBefore = before.length > 1
  const groupAfter = after.length > 1
  if (groupBefore && groupAfter) return compareWhole(before, after)
  if (!groupBefore && !groupAfter) return compare(of, before[0], after[0])
  const single = groupBefore ? after[0] : before[0]
  const fields = single === undefined ? undefined : allFields(of, single)
  return groupBefore ? { changed: fields, removed: leaf } : { changed: leaf, removed: fields }
}
