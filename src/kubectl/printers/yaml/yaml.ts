import type { JsonObject } from '../../../schema/declaration.js'
import { isList, isObject, type JsonList } from '../../../schema/json-value.js'
import { compareKeys } from './key-order.js'
import { scalarText } from './scalar.js'

/**
 * Formats YAML exactly as upstream, because users compare and commit it. The YAML library that we read with quotes and folds differently.
 */
export function printYaml(value: unknown): string {
  if (isObject(value) && Object.keys(value).length > 0) return mapping(value, 0, true)
  if (isList(value) && value.length > 0) return sequence(value, 0)
  return `${scalar(value, { indent: 2, column: 0, isKey: false })}\n`
}

function mapping(object: JsonObject, indent: number, startsLine: boolean): string {
  const keys = Object.keys(object).sort(compareKeys)
  return keys
    .map((key, index) => {
      const head = index === 0 && !startsLine ? '' : ' '.repeat(indent)
      const shown = scalarText(key, { indent, column: 0, isKey: true })
      return `${head}${shown}:${member(object[key], indent, indent + shown.length + 1)}`
    })
    .join('')
}

/** Writes the value of a key, on the same line if it fits. Lists start in the column of their key. */
function member(value: unknown, indent: number, column: number): string {
  if (isObject(value) && Object.keys(value).length > 0) return `\n${mapping(value, indent + 2, true)}`
  if (isList(value) && value.length > 0) return `\n${sequence(value, indent)}`
  return ` ${scalar(value, { indent: indent + 2, column: column + 1, isKey: false })}\n`
}

function sequence(items: JsonList, indent: number): string {
  const head = `${' '.repeat(indent)}- `
  return items.map((item) => `${head}${element(item, indent)}`).join('')
}

function element(item: unknown, indent: number): string {
  if (isObject(item) && Object.keys(item).length > 0) return mapping(item, indent + 2, false)
  if (isList(item) && item.length > 0) return sequence(item, indent + 2).trimStart()
  return `${scalar(item, { indent: indent + 2, column: indent + 2, isKey: false })}\n`
}

function scalar(value: unknown, place: Parameters<typeof scalarText>[1]): string {
  if (typeof value === 'string') return scalarText(value, place)
  if (isList(value)) return '[]'
  if (isObject(value)) return '{}'
  return value === undefined ? 'null' : typeof value === 'number' ? numberText(value) : String(value)
}

function numberText(value: number): string {
  if (Number.isInteger(value)) return Math.abs(value) < 1e21 ? BigInt(value).toString() : exponent(value)
  return String(value).includes('e') ? exponent(value) : String(value)
}

/** Exponents have at least two digits. */
function exponent(value: number): string {
  return value.toExponential().replace(/e([-+])(\d)$/, 'e$10$2')
}
