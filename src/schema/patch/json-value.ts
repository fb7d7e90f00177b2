import type { JsonObject, JsonValue } from '../declaration.js'

export type JsonList = readonly JsonValue[]

/** What a whole document is, and all that a path can lead into. */
export type JsonContainer = JsonObject | JsonList

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: JsonValue | undefined): value is JsonList {
  return Array.isArray(value)
}

export function isContainer(value: JsonValue | undefined): value is JsonContainer {
  return typeof value === 'object' && value !== null
}

/** A member that the object itself has; what it inherits (`constructor`, `__proto__`) is no data. */
export function memberOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

export type WritableObject = Record<string, JsonValue>

export function setMember(object: WritableObject, key: string, value: JsonValue): void {
  // A plain assignment to this one would not add a member, but change what the object inherits.
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

/** Equal as data: the order of keys does not matter. Needs no stack, however deep the values are. */
export function sameJson(left: JsonValue, right: JsonValue): boolean {
  const pending: Pair[] = [[left, right]]
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    if (pair[0] !== pair[1] && !sameOutside(pair, pending)) return false
  }
  return true
}

type Pair = readonly [JsonValue | undefined, JsonValue | undefined]

/** Whether both are objects with as many members, or lists with as many elements, which are then still to be compared. */
function sameOutside([left, right]: Pair, pending: Pair[]): boolean {
  if (isList(left) && isList(right)) {
    for (let index = 0; index < left.length; index++) pending.push([left[index], right[index]])
    return left.length === right.length
  }
  if (!isObject(left) || !isObject(right)) return false
  const keys = Object.keys(left)
  for (const key of keys) pending.push([left[key], memberOf(right, key)])
  return keys.length === Object.keys(right).length
}

/** `after`, or `before` itself if it is the same data: what did not change stays shared. */
export function shared<T extends JsonValue>(before: T | undefined, after: T): T {
  return before !== undefined && sameJson(before, after) ? before : after
}
