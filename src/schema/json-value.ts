import type { JsonObject, JsonValue } from './declaration.js'

/** JSON values as data: what an object inherits is never taken for a member, and `__proto__` is a key like any other. */
export type JsonList = readonly JsonValue[]

export type JsonContainer = JsonObject | JsonList

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: unknown): value is JsonList {
  return Array.isArray(value)
}

export function isContainer(value: unknown): value is JsonContainer {
  return typeof value === 'object' && value !== null
}

export function isEmptyObject(object: JsonObject): boolean {
  for (const key in object) if (Object.hasOwn(object, key)) return false
  return true
}

export function memberOf<V>(object: Readonly<Record<string, V>> | undefined, key: string): V | undefined {
  return object && Object.hasOwn(object, key) ? object[key] : undefined
}

/** The object under `key`, or undefined if there is none. */
export function objectIn(object: JsonObject, key: string): JsonObject | undefined {
  const value = memberOf(object, key)
  return isObject(value) ? value : undefined
}

/** The string under `key`, or `''`. */
export function stringIn(object: JsonObject | undefined, key: string): string {
  const value = object && memberOf(object, key)
  return typeof value === 'string' ? value : ''
}

/** A plain assignment to `__proto__` would not add a member, but change what the object inherits. */
export function setMember<T>(object: Record<string, T>, key: string, value: T): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

/** A copy in which `key` has another value. */
export function withMember(object: JsonObject, key: string, value: JsonValue): JsonObject {
  return { ...object, [key]: value }
}

/** A copy without `key`; the object itself if it has none. */
export function withoutMember(object: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(object, key)) return object
  const { [key]: _, ...rest } = object
  return rest
}

/** Equal as data: the order of keys does not count, null and absent differ. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (isList(left)) return isList(right) && sameList(left, right)
  return isObject(left) && isObject(right) && sameMembers(left, right)
}

function sameList(left: JsonList, right: JsonList): boolean {
  if (left.length !== right.length) return false
  for (let i = 0; i < left.length; i++) if (!sameJson(left[i], right[i])) return false
  return true
}

function sameMembers(left: JsonObject, right: JsonObject): boolean {
  for (const key in left) if (!Object.hasOwn(right, key) || !sameJson(left[key], right[key])) return false
  for (const key in right) if (!Object.hasOwn(left, key)) return false
  return true
}

/** `after`, or `before` itself if it is the same data: what did not change stays shared. */
export function shared<T extends JsonValue>(before: T | undefined, after: T): T {
  return before !== undefined && sameJson(before, after) ? before : after
}
