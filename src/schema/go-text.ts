import type { JsonValue } from './declaration.js'
import { isList, isObject } from './json-value.js'
import { quote } from './quote.js'
import { compareText } from './text-order.js'

/** Values as messages show them, in the forms of Go's `fmt`. Clients and people match on these texts, so they carry over. */

type Scalar = string | number | boolean | null

/** `%v`: `map[a:1 b:[x y]]`. */
export function goText(value: JsonValue): string {
  return print(value, (scalar) => (scalar === null ? '<nil>' : scalarText(scalar)))
}

/** `%s`: where a string is expected, anything else says what it is. */
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

/** `%T` */
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
