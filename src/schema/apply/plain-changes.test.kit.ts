import type { JsonObject, JsonValue } from '../declaration.js'
import { isList, isObject, memberOf, sameJson } from '../json-value.js'
import type { Changes } from './compare.js'
import { type Element, fieldElement } from './element.js'
import { type Path, setOf } from './field-set.js'
import { itemElement } from './items.js'
import { isAtomic, type ListShape, memberShape, type Shape, type StructShape } from './shape.js'

/**
 * What `compareObjects` finds in objects that fit their shape, found the long way: through all declared fields, path by path, and
 * nothing of it is shared or remembered.
 */
export function plainChanges(shape: StructShape, before: JsonValue, after: JsonValue): Changes {
  const { changed, removed } = changes(shape, before, after, [])
  return { changed: setOf(...changed), removed: setOf(...removed) }
}

interface Found {
  readonly changed: readonly Path[]
  readonly removed: readonly Path[]
}

function changes(shape: Shape, before: JsonValue | undefined, after: JsonValue | undefined, path: Path): Found {
  if (before === after) return found()
  if (before === undefined) return found(fields(shape, after!, path))
  if (after === undefined) return found([], fields(shape, before, path))
  const [left, right] = [partsOf(shape, before), partsOf(shape, after)]
  const elements = [...new Set([...left.keys(), ...right.keys()])]
  const whole = elements.length === 0 ? !sameJson(before, after) : becomesAnother(shape, before, after)
  const parts = elements.map((element) => partChanges(left.get(element), right.get(element), [...path, element]))
  return together([found(whole ? [path] : []), ...parts])
}

function found(changed: readonly Path[] = [], removed: readonly Path[] = []): Found {
  return { changed, removed }
}

function together(all: readonly Found[]): Found {
  return found(
    all.flatMap(({ changed }) => changed),
    all.flatMap(({ removed }) => removed),
  )
}

/** Where nothing is declared, a map can become something else, and something else a map. */
function becomesAnother(shape: Shape, before: JsonValue, after: JsonValue): boolean {
  return shape.is === 'any' && [before, after].some((value) => value !== null && !isObject(value))
}

/** What is at an element: one value, or several items that have the same keys. */
interface Part {
  readonly shape: Shape
  readonly values: readonly JsonValue[]
}

function partChanges(before: Part | undefined, after: Part | undefined, path: Path): Found {
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

/** The path of a value and those of everything in it. */
function fields(shape: Shape, value: JsonValue, path: Path): Path[] {
  const below = [...partsOf(shape, value)].flatMap(([element, part]) =>
    part.values.length > 1 ? [[...path, element]] : fields(part.shape, part.values[0]!, [...path, element]),
  )
  return [path, ...below]
}

function partsOf(shape: Shape, value: JsonValue): Map<Element, Part> {
  if (isAtomic(shape)) return new Map()
  if (shape.is === 'list') return isList(value) ? itemsOf(shape, value) : new Map()
  return isObject(value) ? membersOf(shape, value) : new Map()
}

function membersOf(shape: Shape, value: JsonObject): Map<Element, Part> {
  const members = new Map<Element, Part>()
  for (const name of shape.is === 'struct' ? shape.field.keys() : Object.keys(value)) {
    const member = memberOf(value, name)
    if (member !== undefined) members.set(fieldElement(name), { shape: memberShape(shape, name)!, values: [member] })
  }
  return members
}

function itemsOf(list: ListShape, items: readonly JsonValue[]): Map<Element, Part> {
  const parts = new Map<Element, Part>()
  for (const item of items) {
    const element = itemElement(list, item)
    parts.set(element, { shape: list.of, values: [...(parts.get(element)?.values ?? []), item] })
  }
  return parts
}
