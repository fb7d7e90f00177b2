import type { JsonObject } from '../../schema/declaration.js'
import { isListObject, itemsOf } from '../resources/resource-object.js'
import { relaxed, valuesAt, valueText } from './json-path/json-path.js'
import { TabWriter } from './tab-writer.js'

interface Column {
  readonly header: string
  readonly values: (object: JsonObject) => readonly unknown[]
}

const badFormat = 'custom-columns format specified but no custom columns given'

/** `NAME:.metadata.name,IMAGE:.spec.containers[*].image` */
export function customColumnsPrinter(spec: string, withHeaders: boolean) {
  if (spec === '') throw new Error(badFormat)
  return columnsPrinter(
    spec.split(',').map((part) => {
      const [header = '', ...path] = part.split(':')
      if (path.length === 0)
        throw new Error(`unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`)
      return column(header, path.join(':'))
    }),
    withHeaders,
  )
}

/** Parses a file of two lines: headers, then paths. */
export function customColumnsFilePrinter(content: string, withHeaders: boolean) {
  const [headers = [], paths = []] = content.split('\n').map((line) => line.split(/\s+/).filter((word) => word !== ''))
  if (headers.length !== paths.length)
    throw new Error(`number of headers (${headers.length}) and field specifications (${paths.length}) don't match`)
  return columnsPrinter(
    headers.map((header, index) => column(header, paths[index]!)),
    withHeaders,
  )
}

function column(header: string, path: string): Column {
  return { header, values: valuesAt(relaxed(path)) }
}

function columnsPrinter(columns: readonly Column[], withHeaders: boolean) {
  const writer = new TabWriter()
  let isBegun = !withHeaders
  return (object: JsonObject): string => {
    if (!isBegun) writer.line(columns.map(({ header }) => header))
    isBegun = true
    for (const each of isListObject(object) ? itemsOf(object) : [object])
      writer.line(columns.map(({ values }) => cell(values(each))))
    return writer.flush()
  }
}

function cell(values: readonly unknown[]): string {
  return values.length === 0 ? '<none>' : values.map(shown).join(',')
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '<none>'
  if (Array.isArray(value)) return `[${value.map(shown).join(' ')}]`
  if (typeof value !== 'object') return valueText(value)
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return `map[${entries.map(([key, each]) => `${key}:${shown(each)}`).join(' ')}]`
}
