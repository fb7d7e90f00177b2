import type { JsonObject, JsonValue } from '../declaration.js'
import { compareText } from './text.js'
import { isList, isMap } from './value.js'

/**
 * Values as they stand in messages. Clients and people match on these texts, so their form, which is that of Go's `fmt`, carries
 * over from the original.
 */

const named: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u

/** `%q`: in double quotes, with everything escaped that does not print. */
export function quoted(text: string): string {
  return `"${Array.from(text, quotedCharacter).join('')}"`
}

function quotedCharacter(character: string): string {
  const escaped = named[character]
  if (escaped !== undefined) return escaped
  if (printable.test(character)) return character
  const code = character.codePointAt(0)!
  if (code < 0x80) return `\\x${hex(code, 2)}`
  return code < 0x1_0000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}

/** `%v` of a number: whole ones in full, others with an exponent from a million on. */
export function numberText(value: number): string {
  if (Number.isInteger(value)) return value.toString()
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string]
  const power = Number(exponent)
  if (power >= -4 && power < 6) return value.toString()
  return `${mantissa}e${power < 0 ? '-' : '+'}${Math.abs(power).toString().padStart(2, '0')}`
}

/** `%v`: `map[a:1 b:[x y]]`. */
export function plainText(value: JsonValue): string {
  if (value === null) return '<nil>'
  if (typeof value === 'number') return numberText(value)
  if (isList(value)) return `[${value.map(plainText).join(' ')}]`
  if (isMap(value)) return `map[${members(value, (key, member) => `${key}:${plainText(member)}`).join(' ')}]`
  return String(value)
}

/** `%#v`: `map[string]interface {}{"a":1}`. */
export function syntaxText(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)'
  if (typeof value === 'number') return numberText(value)
  if (typeof value === 'string') return quoted(value)
  if (isList(value)) return `[]interface {}{${value.map(syntaxText).join(', ')}}`
  if (!isMap(value)) return String(value)
  return `map[string]interface {}{${members(value, (key, member) => `${quoted(key)}:${syntaxText(member)}`).join(', ')}}`
}

function members(map: JsonObject, print: (key: string, member: JsonValue) => string): string[] {
  return Object.keys(map)
    .sort(compareText)
    .map((key) => print(key, map[key]!))
}

/** `%T` */
export function typeText(value: JsonValue): string {
  if (isList(value)) return '[]interface {}'
  if (isMap(value)) return 'map[string]interface {}'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  return typeof value === 'boolean' ? 'bool' : 'string'
}
