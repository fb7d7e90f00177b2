import type { JsonObject, JsonValue } from '../declaration.js'
import { isObject, memberOf, sameJson, withoutMember } from '../json-value.js'
import { managedFieldsOf, withManagedFields } from './managed-fields/entries.js'

/**
 * `next` with the times of `live`'s managed fields if nothing else differs between the two: a write that changes nothing must
 * not be stored because of the time at which it came.
 */
export function withoutTimeChanges(next: JsonObject, live: JsonObject): JsonObject {
  const after = managedFieldsOf(next) ?? []
  const before = managedFieldsOf(live) ?? []
  if (after.length === 0 || after.length !== before.length || !onlyTimesDiffer(after, before)) return next
  const same = sameJson(withManagedFields(next, undefined), withManagedFields(live, undefined))
  return same ? withManagedFields(next, before) : next
}

function onlyTimesDiffer(after: readonly JsonValue[], before: readonly JsonValue[]): boolean {
  const timesDiffer = after.some((entry, index) => !sameTime(entry, before[index]!))
  return timesDiffer && after.every((entry, index) => sameJson(timeless(entry), timeless(before[index]!)))
}

function sameTime(a: JsonValue, b: JsonValue): boolean {
  return isObject(a) && isObject(b) && memberOf(a, 'time') === memberOf(b, 'time')
}

function timeless(entry: JsonValue): JsonValue {
  return isObject(entry) ? withoutMember(entry, 'time') : entry
}
