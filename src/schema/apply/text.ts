import type { JsonValue } from '../declaration.js'
import { isMap } from './value.js'

/**
 * Orders text by code points, as field sets are ordered everywhere. JavaScript's own order is that of UTF-16 units, in which
 * surrogates stand before the last part of the basic plane.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit
}

/** Strings that stand in JSON as they are, between quotes. */
const plainString = /^[ !#-%'-;=?-[\]-\u2027\u202a-\ud7ff\ue000-\uffff]*$/

const escapes = /[<>&\u2028\u2029]/g

/** JSON as the original writes it: keys sorted, nothing that HTML or JavaScript could misread. */
export function jsonText(value: JsonValue): string {
  if (typeof value === 'string') return plainString.test(value) ? `"${value}"` : escapedString(value)
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (!isMap(value)) return String(value)
  const members = Object.keys(value).sort(compareText)
  return `{${members.map((key) => `${jsonText(key)}:${jsonText(value[key]!)}`).join(',')}}`
}

function escapedString(text: string): string {
  return JSON.stringify(text).replace(escapes, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
