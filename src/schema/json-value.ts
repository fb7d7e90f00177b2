import type { JsonObject, JsonValue } from './declaration.js'

/** Functions for JSON values as data: inherited properties are never members, and `__proto__` is a key like any other. */
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

/** Sets a member. A plain assignment to `__proto__` would change the prototype instead. */
export function setMember<T>(object: Record<string, T>, key: string, value: T): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

/**
 * Returns a copy to which the caller adds members. Adding them to `{ ...object }` has the same result but takes ten times as long: each
 * costs the engine more than the whole copy. To change the values of existing members, use `{ ...object, member }`.
 */
export function extensibleCopy<T extends object>(object: T): T {
  const copy: Record<string, unknown> = {}
  for (const key in object) setMember(copy, key, object[key] as unknown)
  return copy as T
}

/** A copy in which `key` has another value. */
export function withMember(object: JsonObject, key: string, value: JsonValue): JsonObject {
  const copy = extensibleCopy(object) as Record<string, JsonValue>
  setMember(copy, key, value)
  return copy
}

/** A copy without `key`; the object itself if it has none. */
export function withoutMember(object: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(object, key)) return object
  const { [key]: _, ...rest } = object
  return rest
}

/** Whether two values are equal as data: the order of keys does not matter, null and absent differ. */
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
  const keys = Object.keys(left)
  const others = Object.keys(right)
  if (keys.length !== others.length) return false
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    // Most objects that are compared have their keys in the same order.
    if (others[i] !== key && !Object.hasOwn(right, key)) return false
    if (!sameJson(left[key], right[key])) return false
  }
  return true
}

/** Returns `before` if it equals `after`, otherwise `after`, so that unchanged values stay shared. */
export function shared<T extends JsonValue>(before: T | undefined, after: T): T {
  return before !== undefined && sameJson(before, after) ? before : after
}
