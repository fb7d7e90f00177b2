import type { JsonObject, JsonValue } from '../declaration.js'
import { isList, isObject, memberOf, sameJson } from '../json-value.js'
import { type ElementPath, setOf } from './field-set/field-set.js'
import { fieldElement, type PathElement } from './field-set/path-element.js'
import type { FieldChanges } from './shape/compare.js'
import { itemElement } from './shape/items.js'
import { isAtomic, type ListShape, memberShape, type StructShape, type ValueShape } from './shape/shape.js'

/**
 * A simple reference implementation of `compareObjects` for objects that fit their shape: it visits all declared fields path by path,
 * and neither shares nor caches anything.
 */
export function plainChanges(shape: StructShape, before: JsonValue, after: JsonValue): FieldChanges {
  const { changed, removed } = changes(shape, before, after, [])
  return { changed: setOf(...changed), removed: setOf(...removed) }
}

interface Found {
  readonly changed: readonly ElementPath[]
  readonly removed: readonly ElementPath[]
}

function changes(
  shape: ValueShape,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: ElementPath,
): Found {
  if (before === after) return found()
  if (before === undefined) return found(fields(shape, after!, path))
  if (after === undefined) return found([], fields(shape, before, path))
  const [left, right] = [partsOf(shape, before), partsOf(shape, after)]
  const elements = [...new Set([...left.keys(), ...right.keys()])]
  const whole = elements.length === 0 ? !sameJson(before, after) : becomesAnother(shape, before, after)
  const parts = elements.map((element) => partChanges(left.get(element), right.get(element), [...path, element]))
  return together([found(whole ? [path] : []), ...parts])
}

function found(changed: readonly ElementPath[] = [], removed: readonly ElementPath[] = []): Found {
  return { changed, removed }
}

function together(all: readonly Found[]): Found {
  return found(
    all.flatMap(({ changed }) => changed),
    all.flatMap(({ removed }) => removed),
  )
}

/** Whether an undeclared value changes from a map to another type, or from another type to a map. */
function becomesAnother(shape: ValueShape, before: JsonValue, after: JsonValue): boolean {
  return shape.is === 'any' && [before, after].some((value) => value !== null && !isObject(value))
}

/** The values at a path element: one, or several items with the same keys. */
interface Part {
  readonly shape: ValueShape
  readonly values: readonly JsonValue[]
}

function partChanges(before: Part | undefined, after: Part | undefined, path: ElementPath): Found {
  const { shape } = (before ?? after)!
  const [left = [], right = []] = [before?.values, after?.values]
  if (left.length <= 1 && right.length <= 1) return changes(shape, left[0], right[0], path)
  if (left.length > 1 && right.length > 1) return found(sameJson(left, right) ? [] : [path])
  const group = [path]
  return left.length > 1
    ? found(
        right.flatMap((value) => fields(shape, value, path)),
        group,
      )
    : found(
        group,
        left.flatMap((value) => fields(shape, value, path)),
      )
}

/** The path of a value and the paths of all its parts. */
function fields(shape: ValueShape, value: JsonValue, path: ElementPath): ElementPath[] {
  const below = [...partsOf(shape, value)].flatMap(([element, part]) =>
    part.values.length > 1 ? [[...path, element]] : fields(part.shape, part.values[0]!, [...path, element]),
  )
  return [path, ...below]
}

function partsOf(shape: ValueShape, value: JsonValue): Map<PathElement, Part> {
  if (isAtomic(shape)) return new Map()
  if (shape.is === 'list') return isList(value) ? itemsOf(shape, value) : new Map()
  return isObject(value) ? membersOf(shape, value) : new Map()
}

function membersOf(shape: ValueShape, value: JsonObject): Map<PathElement, Part> {
  const members = new Map<PathElement, Part>()
  for (const name of shape.is === 'struct' ? shape.field.keys() : Object.keys(value)) {
    const member = memberOf(value, name)
    if (member !== undefined) members.set(fieldElement(name), { shape: memberShape(shape, name)!, values: [member] })
  }
  return members
}

function itemsOf(list: ListShape, items: readonly JsonValue[]): Map<PathElement, Part> {
  const parts = new Map<PathElement, Part>()
  for (const item of items) {
    const element = itemElement(list, item)
    parts.set(element, { shape: list.of, values: [...(parts.get(element)?.values ?? []), item] })
  }
  return parts
}
