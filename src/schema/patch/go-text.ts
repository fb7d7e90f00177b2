import type { JsonValue } from '../declaration.js'
import { isList, isObject } from './json-value.js'

/**
 * Values and their types as messages show them: the way that Go's `%v` prints them. Clients and people match on these texts.
 */
export function goText(value: JsonValue): string {
  return print(value, (scalar) => (scalar === null ? '<nil>' : scalarText(scalar)))
}

/** The same where a string is expected (`%s`): anything else says what it is. */
export function goStringText(value: JsonValue): string {
  return print(value, (scalar) => {
    if (typeof scalar === 'string') return scalar
    return scalar === null ? '%!s(<nil>)' : `%!s(${goTypeOf(scalar)}=${scalarText(scalar)})`
  })
}

type Scalar = string | number | boolean

function print(value: JsonValue, printScalar: (scalar: Scalar | null) => string): string {
  if (isList(value)) return `[${value.map((element) => print(element, printScalar)).join(' ')}]`
  if (!isObject(value)) return printScalar(value as Scalar | null)
  const keys = Object.keys(value).sort(compareText)
  return `map[${keys.map((key) => `${key}:${print(value[key]!, printScalar)}`).join(' ')}]`
}

function scalarText(scalar: Scalar): string {
  return typeof scalar === 'number' && !isWhole(scalar) ? floatText(scalar) : String(scalar)
}

/** Numbers that are not whole get an exponent when it is below -4 or above 5, of at least two digits. */
function floatText(number: number): string {
  const [digits, exponent] = number.toExponential().split('e') as [string, string]
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(number)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

/** Whole numbers are 64 bits wide; larger ones are floating-point numbers. */
function isWhole(number: number): boolean {
  return Number.isInteger(number) && Math.abs(number) < 2 ** 63
}

export function goTypeOf(value: JsonValue): string {
  if (isList(value)) return '[]interface {}'
  if (isObject(value)) return 'map[string]interface {}'
  if (value === null) return '%!s(<nil>)'
  if (typeof value === 'number') return isWhole(value) ? 'int64' : 'float64'
  return typeof value === 'boolean' ? 'bool' : 'string'
}

/** What decoding errors call a value that is not of the wanted type. */
export function jsonTypeOf(value: JsonValue): string {
  if (isList(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** The order of the bytes in UTF-8, in which Go sorts text. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0
  // JavaScript orders text by UTF-16 units, which is the same for the first 65,536 characters, and wrong for the others.
  if (hasSurrogates(left) || hasSurrogates(right)) return Buffer.compare(Buffer.from(left), Buffer.from(right))
  return left < right ? -1 : 1
}

function hasSurrogates(text: string): boolean {
  return /[\ud800-\udfff]/.test(text)
}
