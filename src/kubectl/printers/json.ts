import { isList, isObject } from '../../schema/json-value.js'
import { compareText } from '../../schema/text-order.js'
import { inTypedOrder } from './typed-order.js'

/** Keys in order, at every depth. */
function inOrder(value: unknown): unknown {
  if (isList(value)) return value.map(inOrder)
  if (!isObject(value)) return value
  const keys = Object.keys(value).sort(compareText)
  return Object.fromEntries(keys.map((key) => [key, inOrder(value[key])]))
}

const special = /[<>&\u2028\u2029]/g

/** JSON as the original writes it: keys in order, and nothing in it that a browser could take for markup. */
export function jsonText(value: unknown, indent = 0, isTyped = false): string {
  return browserSafe(JSON.stringify(isTyped ? inTypedOrder(value) : inOrder(value), undefined, indent))
}

/** Without anything that a browser could take for markup. */
export function browserSafe(json: string): string {
  return json.replace(special, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** `isTyped`: of a kind that the original knows, so that keys are in its order. */
export function printJson(value: unknown, isTyped = false): string {
  return `${jsonText(value, 4, isTyped)}\n`
}

/** The same with keys in the order in which they stand: that of the fields of a type, which is what the server sends. */
export function printTypedJson(value: unknown): string {
  return `${browserSafe(JSON.stringify(value, undefined, 4))}\n`
}
