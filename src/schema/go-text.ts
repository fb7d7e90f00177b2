import type { JsonValue } from './declaration.js'
import { isList, isObject } from './json-value.js'
import { quote } from './quote.js'
import { compareText } from './text-order.js'

/** Formats values like Go's `fmt`, because clients and users match on messages that contain them. */

type Scalar = string | number | boolean | null

/** `%v`: `map[a:1 b:[x y]]`. */
export function goText(value: JsonValue): string {
  return print(value, (scalar) => (scalar === null ? '<nil>' : scalarText(scalar)))
}

/** `%s`, which prints values other than strings with their type. */
export function goStringText(value: JsonValue): string {
  return print(value, (scalar) => {
    if (typeof scalar === 'string') return scalar
    return scalar === null ? '%!s(<nil>)' : `%!s(${goTypeOf(scalar)}=${scalarText(scalar)})`
  })
}

function print(value: JsonValue, printScalar: (scalar: Scalar) => string): string {
  if (isList(value)) return `[${value.map((element) => print(element, printScalar)).join(' ')}]`
  if (!isObject(value)) return printScalar(value as Scalar)
  const keys = Object.keys(value).sort(compareText)
  return `map[${keys.map((key) => `${key}:${print(value[key]!, printScalar)}`).join(' ')}]`
}

/** `%#v`: `map[string]interface {}{"a":1}`. */
export function goSyntaxText(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)'
  if (typeof value === 'string') return quote(value)
  if (isList(value)) return `[]interface {}{${value.map(goSyntaxText).join(', ')}}`
  if (!isObject(value)) return scalarText(value as Scalar)
  const keys = Object.keys(value).sort(compareText)
  return `map[string]interface {}{${keys.map((key) => `${quote(key)}:${goSyntaxText(value[key]!)}`).join(', ')}}`
}

function scalarText(scalar: Scalar): string {
  return typeof scalar === 'number' && !isWhole(scalar) ? floatText(scalar) : String(scalar)
}

/** Formats a fraction. It gets an exponent of at least two digits when that is below -4 or above 5. */
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

/** `%T` */
export function goTypeOf(value: JsonValue): string {
  if (isList(value)) return '[]interface {}'
  if (isObject(value)) return 'map[string]interface {}'
  if (value === null) return '%!s(<nil>)'
  if (typeof value === 'number') return isWhole(value) ? 'int64' : 'float64'
  return typeof value === 'boolean' ? 'bool' : 'string'
}

/** The name of a value's type in decoding errors. */
export function jsonTypeOf(value: JsonValue): string {
  if (isList(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
