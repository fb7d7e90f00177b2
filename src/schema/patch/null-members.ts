import type { JsonObject, JsonValue } from '../declaration.js'
import { isList, isObject, type JsonList, shared } from '../json-value.js'
import { ObjectDraft } from './object-draft.js'

/**
 * The value without members that are null, at any depth: in what a patch adds there is nothing left for null to remove. Nulls
 * that are elements of a list are data and stay.
 */
export function withoutNullMembers(value: JsonValue): JsonValue {
  if (isList(value)) return listWithoutNullMembers(value)
  return isObject(value) ? objectWithoutNullMembers(value) : value
}

function listWithoutNullMembers(list: JsonList): JsonList {
  return shared(list, list.map(withoutNullMembers))
}

export function objectWithoutNullMembers(object: JsonObject): JsonObject {
  const draft = new ObjectDraft(object)
  for (const [key, value] of Object.entries(object)) {
    if (value === null) draft.delete(key)
    else draft.set(key, withoutNullMembers(value))
  }
  return draft.finish()
}
