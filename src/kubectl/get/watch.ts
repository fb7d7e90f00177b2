import type { JsonObject } from '../../schema/declaration.js'
import { objectIn, stringIn } from '../../schema/json-value.js'
import type { PrintObject } from '../printers/output.js'
import type { Row } from '../printers/table.js'
import { fetchSelected, listQuery } from '../resources/fetch.js'
import { isListObject, itemsOf, resourcePath } from '../resources/resource-object.js'
import type { SelectionTarget } from '../resources/selection.js'
import type { GetContext } from './flags.js'
import { TableWriter, tableSelection } from './tables.js'

/** Prints the objects, then each change, until the watch ends. */
export async function watchObjects(call: GetContext, print: PrintObject | undefined): Promise<void> {
  const { flags, factory } = call
  const selection = print ? { ...tableSelection(call), accept: 'application/json' } : tableSelection(call)
  const { fetched, errors } = await fetchSelected(factory, selection)
  if (errors.length > 0) throw errors[0]
  if (fetched.length !== 1) throw new Error('watch is only supported on individual resources and resource collections')
  const [first] = fetched
  const show = new Changes(call, print, first!)
  if (!flags['watch-only']) for (const answer of first!.answers) await show.initial(answer)
  await follow(call, first!, { show, accept: selection.accept, revision: revisionOf(first!.answers.at(-1)!) })
}

interface Following {
  readonly show: Changes
  readonly accept: string | undefined
  readonly revision: string
}

async function follow(call: GetContext, target: SelectionTarget, { show, accept, revision }: Following): Promise<void> {
  const { flags, factory } = call
  const { resource, namespace, name } = target
  const rest = await factory.rest()
  const fields = name === '' ? flags['field-selector'] : `metadata.name=${name}`
  const query = { ...listQuery({ ...flags, 'field-selector': fields }), watch: true, resourceVersion: revision }
  for await (const { type, object } of rest.watch({ path: resourcePath(resource, namespace), query, accept })) {
    if (type === 'BOOKMARK') continue
    await show.event(type, object as JsonObject)
  }
}

/** The revision of a list, or of the object in a table of one row. */
function revisionOf(answer: JsonObject): string {
  const own = stringIn(objectIn(answer, 'metadata'), 'resourceVersion')
  const [row] = (answer.rows as readonly Row[] | undefined) ?? []
  return own || stringIn(objectIn(row?.object ?? {}, 'metadata'), 'resourceVersion')
}

class Changes {
  readonly #call: GetContext
  readonly #print: PrintObject | undefined
  readonly #target: SelectionTarget
  readonly #tables: TableWriter
  #columns: unknown

  constructor(call: GetContext, print: PrintObject | undefined, target: SelectionTarget) {
    this.#call = call
    this.#print = print
    this.#target = target
    this.#tables = new TableWriter(call, false)
  }

  async initial(answer: JsonObject): Promise<void> {
    if (!this.#print || !isListObject(answer)) return this.event('ADDED', answer)
    for (const item of itemsOf(answer)) await this.event('ADDED', item)
  }

  /** Only the first table has column definitions. */
  async event(type: string, object: JsonObject): Promise<void> {
    const { out, flags } = this.#call
    if (this.#print) return out(this.#print(flags['output-watch-events'] ? { type, object } : object))
    this.#columns = (object.columnDefinitions as readonly unknown[] | null)?.length
      ? object.columnDefinitions
      : this.#columns
    const table = { ...object, columnDefinitions: this.#columns } as JsonObject
    this.#tables.add({
      resource: this.#target.resource,
      answers: [flags['output-watch-events'] ? withEvent(type, table) : table],
    })
    await out(this.#tables.text())
  }
}

function withEvent(type: string, table: JsonObject): JsonObject {
  const columns = table.columnDefinitions as readonly JsonObject[]
  const rows = (table.rows as readonly JsonObject[]).map((row) => ({
    ...row,
    cells: [type, ...(row.cells as readonly never[])],
  }))
  return { ...table, columnDefinitions: [{ name: 'Event' }, ...columns], rows } as JsonObject
}
