import { isList, isObject } from '../../schema/json-value.js'
import { quote } from '../../schema/quote.js'
import { compareText } from '../../schema/text-order.js'

/** A value as the original shows it where it has no better words: in the syntax of the language that it is written in. */
export function goSyntax(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (isList(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (!isObject(value)) return value === null || value === undefined ? 'interface {}(nil)' : String(value)
  const members = Object.keys(value)
    .sort(compareText)
    .map((key) => `${quote(key)}:${goSyntax(value[key])}`)
  return `map[string]interface {}{${members.join(', ')}}`
}
