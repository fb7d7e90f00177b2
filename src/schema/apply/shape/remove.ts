import type { JsonObject, JsonValue } from '../../declaration.js'
import { isEmptyObject, isList, isObject, setMember } from '../../json-value.js'
import { type FieldSet, hasBelow, isMember } from '../field-set/field-set.js'
import { fieldElement } from '../field-set/path-element.js'
import { itemElement } from './items.js'
import { anyShape, type ListShape, memberShape, type StructShape, type ValueShape } from './shape.js'

/**
 * Removes the fields and items in `set`. A value that loses all its parts but is not in the set becomes null; decoding then decides
 * whether it is absent or gets a default.
 */
export function removeFields(shape: StructShape, object: JsonObject, set: FieldSet): JsonObject {
  return (hasBelow(set) ? (removeMembers(shape, object, set) ?? {}) : object) as JsonObject
}

/** Requires a set with members below its root. */
function remove(shape: ValueShape, value: JsonValue, set: FieldSet): JsonValue {
  if (shape.is === 'scalar') return value
  if (isList(value)) return shape.is === 'list' && shape.items !== 'atomic' ? removeItems(shape, value, set) : null
  if (!isObject(value)) return shape.is === 'any' ? value : null
  return shape.is === 'list' || shape.atomic ? null : (removeMembers(shape, value, set) ?? null)
}

function removeItems(list: ListShape, items: readonly JsonValue[], set: FieldSet): JsonValue {
  const left: JsonValue[] = []
  for (const item of items) {
    const branch = set[itemElement(list, item)]
    if (!branch) left.push(item)
    else if (!isMember(branch)) left.push(remove(list.of, item, branch) ?? {}) // an item is never null
  }
  return left.length === 0 ? null : left
}

type Container = Exclude<ValueShape, { is: 'scalar' } | { is: 'list' }>

function removeMembers(shape: Container, map: JsonObject, set: FieldSet): JsonObject | undefined {
  const left: Record<string, JsonValue> = {}
  for (const key of Object.keys(map)) {
    const branch = set[fieldElement(key)]
    if (!branch) setMember(left, key, map[key]!)
    else if (!isMember(branch)) setMember(left, key, remove(memberShape(shape, key) ?? anyShape, map[key]!, branch))
  }
  return isEmptyObject(left) ? undefined : left
}
