import type { JsonObject, JsonValue } from '../declaration.js'
import { isList, isObject, type JsonList, shared } from '../json-value.js'
import { ObjectDraft } from './object-draft.js'

/**
 * Removes null members at any depth from a value that a patch adds, because there is nothing that they could delete. Null elements of
 * lists are data and stay.
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
