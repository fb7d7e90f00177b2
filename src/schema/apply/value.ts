import type { JsonObject, JsonValue } from '../declaration.js'

/** Whether `value` is an object, neither list nor null. */
export function isMap(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** What stands under `key`, inherited properties left aside: keys are data, and may be called `constructor`. */
export function own(map: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}

/** The map under `key`, or undefined if there is none. */
export function ownMap(map: JsonObject, key: string): JsonObject | undefined {
  const value = own(map, key)
  return isMap(value) ? value : undefined
}

/** The string under `key`, or `''`. */
export function ownString(map: JsonObject | undefined, key: string): string {
  const value = map && own(map, key)
  return typeof value === 'string' ? value : ''
}

/** Sets an own property, also one called `__proto__`. */
export function setOwn(draft: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key !== '__proto__') draft[key] = value
  else Object.defineProperty(draft, key, { value, writable: true, enumerable: true, configurable: true })
}

/** A copy of `map` in which `key` has another value. */
export function replaced(map: JsonObject, key: string, value: JsonValue): JsonObject {
  return { ...map, [key]: value }
}

/** A copy of `map` without `key`; `map` itself if it has none. */
export function without(map: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(map, key)) return map
  const { [key]: _, ...rest } = map
  return rest
}

export function isEmptyMap(map: JsonObject): boolean {
  for (const key in map) if (Object.hasOwn(map, key)) return false
  return true
}

/** Whether two JSON values are the same; the order of keys does not count, but null and absent differ. */
export function sameValue(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true
  if (isList(a)) return isList(b) && sameList(a, b)
  return isMap(a) && isMap(b) && sameMap(a, b)
}

function sameList(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  return a.length === b.length && a.every((item, index) => sameValue(item, b[index]!))
}

function sameMap(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key]!, b[key]!))
}
