import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import type { JsonObject } from '../../schema/declaration.js'
import { throwAll } from '../command-errors.js'
import { ageText } from '../printers/age.js'
import { FieldMissingError, sortedBy } from '../printers/sort.js'
import { TabWriter } from '../printers/tab-writer.js'
import {
  isTable,
  type PrintedTable,
  plainTable,
  type Row,
  type TablePrintOptions,
  tableAccept,
  tableLines,
} from '../printers/table.js'
import { type Fetched, fetchSelected } from '../resources/fetch.js'
import { isListObject, itemsOf } from '../resources/resource-object.js'
import type { ResourceSelection } from '../resources/selection.js'
import type { GetContext } from './flags.js'

/** Fetches tables from the server, one for each type. */
export class GetTables {
  readonly #call: GetContext

  constructor(call: GetContext) {
    this.#call = call
  }

  async print(): Promise<void> {
    const { flags, factory, err } = this.#call
    const { fetched, errors, selected } = await fetchSelected(factory, tableSelection(this.#call))
    const types = new Set(selected.targets.map(({ resource }) => resource))
    const writer = new TableWriter(this.#call, types.size > 1)
    for (const part of fetched) writer.add(part)
    await this.#call.out(writer.text())
    if (writer.isEmpty && errors.length === 0 && !flags['ignore-not-found'])
      await err(await this.#nothing(selected.targets))
    throwAll(errors)
  }

  async #nothing(targets: readonly { readonly resource: DiscoveredResource }[]): Promise<string> {
    const isNamespaced = targets.some(({ resource }) => resource.namespaced)
    if (this.#call.flags['all-namespaces'] || !isNamespaced) return 'No resources found\n'
    const { name } = await this.#call.factory.namespace()
    return `No resources found in ${name} namespace.\n`
  }
}

export function tableSelection({ flags, args }: GetContext): ResourceSelection {
  const isSorted = flags['sort-by'] !== ''
  return {
    ...flags,
    args,
    typesMeanAll: true,
    chunkSize: isSorted ? 0 : flags['chunk-size'],
    ignoreNotFound: flags['ignore-not-found'],
    ...(flags['server-print'] && { accept: tableAccept }),
    ...(flags['server-print'] && isSorted && { query: { includeObject: 'Object' } }),
  }
}

/** Formats tables one after another. Tables of one type share the header and the columns. */
export class TableWriter {
  readonly #call: GetContext
  readonly #isMixed: boolean
  readonly #writer = new TabWriter()
  #last: DiscoveredResource | undefined
  #text = ''
  #rows = 0

  constructor(call: GetContext, isMixed: boolean) {
    this.#call = call
    this.#isMixed = isMixed
  }

  get isEmpty(): boolean {
    return this.#rows === 0
  }

  add({ resource, answers }: Pick<Fetched, 'resource' | 'answers'>): void {
    const tables = answers.map((answer) => this.#tableOf(answer))
    const rows = this.#sorted(tables.flatMap((table) => table.rows ?? []))
    if (rows.length === 0) return
    this.#rows += rows.length
    const isNew = resource !== this.#last
    if (isNew) this.#begin()
    const { columnDefinitions } = tables.find((table) => table.columnDefinitions.length > 0)!
    const table = { columnDefinitions, rows }
    for (const line of tableLines(table, resource, this.#options(resource, isNew))) this.#writer.line(line)
    this.#last = resource
  }

  /** The text since the last call. */
  text(): string {
    const text = this.#text + this.#writer.flush()
    this.#text = ''
    return text
  }

  #begin(): void {
    this.#text += this.#writer.flush()
    this.#writer.forget()
    if (this.#last && !this.#call.flags['no-headers']) this.#text += '\n'
  }

  #tableOf(answer: JsonObject): PrintedTable {
    if (isTable(answer)) return answer
    const now = this.#call.factory.environment.clock.now()
    const objects = isListObject(answer) ? itemsOf(answer) : [answer]
    return plainTable(objects, (created) => ageText(now - Date.parse(created)))
  }

  #sorted(rows: readonly Row[]): readonly Row[] {
    const path = this.#call.flags['sort-by']
    if (path === '') return rows
    try {
      return sortedBy(rows, path, ({ object }) => object ?? {})
    } catch (error) {
      if (error instanceof FieldMissingError) return [] // the original shows nothing then, and does not fail
      throw error
    }
  }

  #options(resource: DiscoveredResource, isNew: boolean): TablePrintOptions {
    const { flags } = this.#call
    return {
      isWide: flags.output === 'wide',
      withHeaders: isNew && !flags['no-headers'],
      withNamespace: flags['all-namespaces'] && resource.namespaced,
      withKind: flags['show-kind'] || this.#isMixed,
      showLabels: flags['show-labels'],
      labelColumns: flags['label-columns'],
    }
  }
}
