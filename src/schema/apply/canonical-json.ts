import type { JsonValue } from '../declaration.js'
import { isObject } from '../json-value.js'
import { compareText } from '../text-order.js'

/** Strings that need no escapes in JSON. */
const plainString = /^[ !#-%'-;=?-[\]-\u2027\u202a-\ud7ff\ue000-\uffff]*$/

const escapes = /[<>&\u2028\u2029]/g

/** Formats JSON like upstream: keys sorted, characters that are special in HTML or JavaScript escaped. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'string') return plainString.test(value) ? `"${value}"` : escapedString(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isObject(value)) return String(value)
  const members = Object.keys(value).sort(compareText)
  return `{${members.map((key) => `${canonicalJson(key)}:${canonicalJson(value[key]!)}`).join(',')}}`
}

function escapedString(text: string): string {
  return JSON.stringify(text).replace(escapes, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
