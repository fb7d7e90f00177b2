import { isList, isObject } from '../../../schema/json-value.js'
import { quote } from '../../../schema/quote.js'
import { compareText } from '../../../schema/text-order.js'

/** Formats a value in Go syntax, for errors of templates. */
export function goSyntax(value: unknown): string {
  if (isList(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (isObject(value)) {
    const keys = Object.keys(value).sort(compareText)
    return `map[string]interface {}{${keys.map((key) => `${quote(key)}:${goSyntax(value[key])}`).join(', ')}}`
  }
  if (typeof value === 'string') return quote(value)
  return value === null || value === undefined ? 'interface {}(nil)' : String(value)
}

/** Formats a value as Go's `%v`: `map[a:1 b:2]`, `[1 2]`, `<no value>`. */
export function goPrinted(value: unknown): string {
  if (isList(value)) return `[${value.map(goPrintedInside).join(' ')}]`
  if (isObject(value)) {
    const keys = Object.keys(value).sort(compareText)
    return `map[${keys.map((key) => `${key}:${goPrintedInside(value[key])}`).join(' ')}]`
  }
  return value === null || value === undefined ? '<no value>' : String(value)
}

function goPrintedInside(value: unknown): string {
  return value === null || value === undefined ? '<nil>' : goPrinted(value)
}
