import { isList, isObject } from '../../schema/json-value.js'
import { compareText } from '../../schema/text-order.js'
import { inTypedOrder } from './typed-order.js'

/** Sorts keys at every depth. */
function inOrder(value: unknown): unknown {
  if (isList(value)) return value.map(inOrder)
  if (!isObject(value)) return value
  const keys = Object.keys(value).sort(compareText)
  return Object.fromEntries(keys.map((key) => [key, inOrder(value[key])]))
}

const special = /[<>&\u2028\u2029]/g

/** Formats JSON as Go does: sorted keys, and HTML characters escaped. */
export function jsonText(value: unknown, indent = 0, isTyped = false): string {
  return browserSafe(JSON.stringify(isTyped ? inTypedOrder(value) : inOrder(value), undefined, indent))
}

/** Escapes HTML characters as Go does. */
export function browserSafe(json: string): string {
  return json.replace(special, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** `isTyped`: upstream has a Go type for the kind, so keys are in the order of its fields. */
export function printJson(value: unknown, isTyped = false): string {
  return `${jsonText(value, 4, isTyped)}\n`
}

/** Keeps the order of keys, which is the field order that the server sends. */
export function printTypedJson(value: unknown): string {
  return `${browserSafe(JSON.stringify(value, undefined, 4))}\n`
}
