import type { JsonObject, JsonValue } from '../declaration.js'
import { managedFieldsOf, withManagedFields } from './entries.js'
import { isMap, own, sameValue, without } from './value.js'

/**
 * `next` with the times of `live`'s managed fields if nothing else differs between the two: a write that changes nothing must
 * not be stored because of the time at which it came.
 */
export function withoutTimeChanges(next: JsonObject, live: JsonObject): JsonObject {
  const after = managedFieldsOf(next) ?? []
  const before = managedFieldsOf(live) ?? []
  if (after.length === 0 || after.length !== before.length || !onlyTimesDiffer(after, before)) return next
  const same = sameValue(withManagedFields(next, undefined), withManagedFields(live, undefined))
  return same ? withManagedFields(next, before) : next
}

function onlyTimesDiffer(after: readonly JsonValue[], before: readonly JsonValue[]): boolean {
  const timesDiffer = after.some((entry, index) => !sameTime(entry, before[index]!))
  return timesDiffer && after.every((entry, index) => sameValue(timeless(entry), timeless(before[index]!)))
}

function sameTime(a: JsonValue, b: JsonValue): boolean {
  return isMap(a) && isMap(b) && own(a, 'time') === own(b, 'time')
}

function timeless(entry: JsonValue): JsonValue {
  return isMap(entry) ? without(entry, 'time') : entry
}
