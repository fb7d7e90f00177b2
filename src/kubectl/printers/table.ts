import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import type { JsonObject } from '../../schema/declaration.js'
import { isObject } from '../../schema/json-value.js'
import { compareText } from '../../schema/text-order.js'
import { kindName, metadataOf } from '../resources/resource-object.js'

/** A `Table` from the server. */
export interface PrintedTable {
  readonly columnDefinitions: readonly Column[]
  readonly rows: readonly Row[]
}

interface Column {
  readonly name: string
  /** Columns above 0 are shown in wide tables only. */
  readonly priority?: number
}

export interface Row {
  readonly cells: readonly unknown[]
  /** The object, or its metadata. */
  readonly object?: JsonObject
}

/** Options for printing a table. */
export interface TablePrintOptions {
  readonly isWide: boolean
  readonly withHeaders: boolean
  readonly withNamespace: boolean
  /** Whether names have the kind as prefix. */
  readonly withKind: boolean
  readonly showLabels: boolean
  readonly labelColumns: readonly string[]
}

export const tableAccept =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json'

export function isTable(value: JsonObject): value is JsonObject & PrintedTable {
  return value.kind === 'Table' && Array.isArray(value.columnDefinitions)
}

/** Builds a table with name and age, for servers that print no tables. */
export function plainTable(objects: readonly JsonObject[], age: (created: string) => string): PrintedTable {
  return {
    columnDefinitions: [{ name: 'Name' }, { name: 'Age' }],
    rows: objects.map((object) => {
      const { name = '', creationTimestamp } = metadataOf(object)
      return { cells: [name, creationTimestamp === undefined ? '<unknown>' : age(creationTimestamp)], object }
    }),
  }
}

/** Returns the header, if any, and the rows as tab-separated cells. */
export function tableLines(
  { columnDefinitions, rows }: PrintedTable,
  resource: DiscoveredResource | undefined,
  options: TablePrintOptions,
): readonly (readonly string[])[] {
  const shown = columnDefinitions.map(({ priority = 0 }) => options.isWide || priority === 0)
  const header = headerOf(
    columnDefinitions.filter((_, index) => shown[index]),
    options,
  )
  const lines = (rows ?? []).map((row) => rowLine(row, shown, resource, options))
  return options.withHeaders ? [header, ...lines] : lines
}

function headerOf(columns: readonly Column[], options: TablePrintOptions): readonly string[] {
  return [
    ...(options.withNamespace ? ['NAMESPACE'] : []),
    ...columns.map(({ name }) => name.toUpperCase()),
    ...options.labelColumns.map((label) => label.slice(label.lastIndexOf('/') + 1).toUpperCase()),
    ...(options.showLabels ? ['LABELS'] : []),
  ]
}

function rowLine(
  { cells, object }: Row,
  shown: readonly boolean[],
  resource: DiscoveredResource | undefined,
  options: TablePrintOptions,
): readonly string[] {
  const { namespace = '', labels } = object ? metadataOf(object) : {}
  const texts = cells.filter((_, index) => shown[index]).map(cellText)
  if (options.withKind && resource) texts[0] = `${kindName(resource)}/${texts[0]}`
  return [
    ...(options.withNamespace ? [namespace] : []),
    ...texts,
    ...options.labelColumns.map((label) => labels?.[label] ?? ''),
    ...(options.showLabels ? [labelsText(labels)] : []),
  ]
}

function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const names = Object.keys(labels ?? {}).sort(compareText)
  return names.length === 0 ? '<none>' : names.map((name) => `${name}=${labels![name]}`).join(',')
}

/** Formats a cell as one line without terminal control characters. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  const text = isObject(cell) ? JSON.stringify(cell) : String(cell)
  const [line = ''] = text.split(/[\f\n\r]/, 1)
  return `${line.replaceAll('\x1b', '^[')}${line.length < text.length ? '...' : ''}`
}
