import type { JsonObject, JsonValue } from '../declaration.js'
import { isEmptyObject, isList, isObject, memberOf, sameJson } from '../json-value.js'
import { compareElements, type Element, fieldElement } from './element.js'
import { emptySet, type FieldSet, leaf, withSelf } from './field-set.js'
import { type Items, itemElement, itemsByElement } from './items.js'
import { emptyBranch } from './set-pool.js'
import { anything, type ListShape, memberShape, read, type Shape, type StructShape } from './shape.js'
import { allFields, allFieldsBelow } from './value-set.js'

/** What became of the fields of an object. A field can be in both: of two items with one key, one may be left. */
export interface Changes {
  /** Fields that are new or have another value. */
  readonly changed: FieldSet
  readonly removed: FieldSet
}

export function compareObjects(shape: StructShape, before: JsonObject, after: JsonObject): Changes {
  const { changed = emptySet, removed = emptySet } = compare(shape, before, after) ?? {}
  return { changed, removed }
}

/** The same for one branch; undefined where nothing has changed. */
interface Delta {
  readonly changed?: FieldSet | undefined
  readonly removed?: FieldSet | undefined
}

const changedLeaf: Delta = { changed: leaf }

function compare(shape: Shape, before: JsonValue | undefined, after: JsonValue | undefined): Delta | undefined {
  if (before === after) return undefined
  if (before === undefined) return { changed: allFields(shape, after!) }
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

function compareWhole(before: JsonValue, after: JsonValue): Delta | undefined {
  return sameJson(before, after) ? undefined : changedLeaf
}

type Container = Exclude<Shape, { is: 'scalar' } | { is: 'list' }>

/** Null counts as empty; whether something is null or empty matters only where nothing is on the other side either. */
function compareMaps(shape: Container, before: JsonValue, after: JsonValue): Delta | undefined {
  const left = isObject(before) ? before : noMembers
  const right = isObject(after) ? after : noMembers
  if (isEmptyObject(left))
    return isEmptyObject(right) ? compareWhole(before, after) : { changed: allFieldsBelow(shape, right) }
  if (isEmptyObject(right)) return { removed: allFieldsBelow(shape, left) }
  return shape.is === 'struct' && !shape.others ? compareStructs(shape, left, right) : compareKeys(shape, left, right)
}

const noMembers: JsonObject = {}

/** The declared fields stand in order already. */
function compareStructs(struct: StructShape, before: JsonObject, after: JsonObject): Delta | undefined {
  let draft: DraftDelta | undefined
  for (const field of struct.fields) {
    const delta = compare(field.shape, read(before, field), read(after, field))
    if (!delta) continue
    draft ??= new DraftDelta()
    draft.add(field.element, delta)
  }
  return draft?.delta
}

/** Objects of one template are changed alike, over and over: equal sets of changes are one object. */
class DraftDelta {
  #changed = emptyBranch()
  #removed = emptyBranch()

  /** Elements must be added in order. */
  add(element: Element, { changed, removed }: Delta): void {
    if (changed) this.#changed = this.#changed.with(element, changed)
    if (removed) this.#removed = this.#removed.with(element, removed)
  }

  get delta(): Delta {
    return {
      changed: this.#changed.isEmpty ? undefined : this.#changed.set,
      removed: this.#removed.isEmpty ? undefined : this.#removed.set,
    }
  }
}

function compareKeys(shape: Container, before: JsonObject, after: JsonObject): Delta | undefined {
  const deltas: [Element, Delta][] = []
  const compareKey = (key: string): void => {
    const delta = compare(keyShape(shape, key), memberOf(before, key), memberOf(after, key))
    if (delta) deltas.push([fieldElement(key), delta])
  }
  for (const key of Object.keys(after)) compareKey(key)
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) compareKey(key)
  return combined(deltas)
}

function keyShape(shape: Container, key: string): Shape {
  if (shape.is === 'map') return shape.of
  return shape.is === 'struct' ? (memberShape(shape, key) ?? anything) : anything
}

/** Puts what has changed below several elements together, in order. */
function combined(deltas: [Element, Delta][]): Delta | undefined {
  if (deltas.length === 0) return undefined
  if (deltas.length > 1) deltas.sort(([a], [b]) => compareElements(a, b))
  const draft = new DraftDelta()
  for (const [element, delta] of deltas) draft.add(element, delta)
  return draft.delta
}

/**
 * Where nothing is declared, a value may become one of another kind. Then the field itself has changed, and what a map holds or
 * held has come or gone as well.
 */
function compareAnything(before: JsonValue, after: JsonValue): Delta | undefined {
  if (!isObject(before) && !isObject(after)) return compareWhole(before, after)
  const members = compareMaps(anything, before, after)
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
  const elements = left.map((item) => itemElement(list, item))
  if (!sameItems(list, elements, right))
    return compareItems(list, itemsByElement(list, left), itemsByElement(list, right))
  const deltas: [Element, Delta][] = []
  for (const [index, element] of elements.entries()) {
    const delta = compare(list.of, left[index], right[index])
    if (delta) deltas.push([element, delta])
  }
  return combined(deltas)
}

/** Whether these are the same items in the same places, each of them once, as it is with most lists. */
function sameItems(list: ListShape, before: readonly Element[], after: readonly JsonValue[]): boolean {
  if (before.length !== after.length) return false
  for (const [index, item] of after.entries()) if (itemElement(list, item) !== before[index]) return false
  return before.length === 1 || new Set(before).size === before.length
}

function compareItems(list: ListShape, before: Items, after: Items): Delta | undefined {
  const deltas: [Element, Delta][] = []
  for (const element of new Set([...before.keys(), ...after.keys()])) {
    const delta = compareItem(list.of, before.get(element) ?? [], after.get(element) ?? [])
    if (delta) deltas.push([element, delta])
  }
  return combined(deltas)
}

/**
 * Of an item that comes more than once, only that it is there has owners. Such a group changes as a whole, and when it comes
 * or goes, the single item that was or is there instead goes or comes.
 */
function compareItem(of: Shape, before: readonly JsonValue[], after: readonly JsonValue[]): Delta | undefined {
  const groupBefore = before.length > 1
  const groupAfter = after.length > 1
  if (groupBefore && groupAfter) return compareWhole(before, after)
  if (!groupBefore && !groupAfter) return compare(of, before[0], after[0])
  const single = groupBefore ? after[0] : before[0]
  const fields = single === undefined ? undefined : allFields(of, single)
  return groupBefore ? { changed: fields, removed: leaf } : { changed: leaf, removed: fields }
}
