import type { Event } from '../../api/core/v1/event.js'
import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import { valueAt } from '../golden/normal-form.js'
import { fillPlaceholders } from '../golden/placeholders.js'
import { eventDigest } from './event-digest.js'
import { compareJson } from './json-order.js'
import { hasRandomName, type ObjectNormalForm } from './object-normal-form.js'
import { pathOf } from './resource-paths.js'
import type {
  ClusterScenario,
  LogRecordStep,
  ObjectRecordStep,
  RecordStep,
  ResponseBody,
  ScenarioVariables,
} from './scenario.js'
import type { ScenarioContext } from './scenario-context.js'

export interface ObservationOptions {
  readonly context: ScenarioContext
  readonly variables: ScenarioVariables
  readonly normal: ObjectNormalForm
  readonly needs: ClusterScenario['needs']
}

/** Reads the current state of a record, in normal form. */
export async function observeStep(step: RecordStep, options: ObservationOptions): Promise<JsonValue> {
  if ('events' in step) {
    const { items = [] } = (await responseOf(step.get ?? 'events', options)) as { items?: readonly Event[] }
    return eventDigest(items, { keep: step.events, ...options })
  }
  if ('logs' in step) return takeLog(step, options)
  if (typeof step.get === 'string') return takeObjects(step.get, step, options)
  const parts = step.get.map(async (path) => [path, await takeObjects(path, step, options)] as const)
  return Object.fromEntries(await Promise.all(parts))
}

async function responseOf(path: string, { context, variables }: ObservationOptions): Promise<JsonObject> {
  const { body } = await context.requests.send({ path: pathOf(path, variables) })
  return body as JsonObject
}

async function takeLog(
  { logs, previous }: LogRecordStep,
  { context, variables, normal }: ObservationOptions,
): Promise<JsonValue> {
  const [pod, container] = fillPlaceholders(logs, variables).split('/')
  const query = new URLSearchParams({ ...(container && { container }), ...(previous && { previous: 'true' }) })
  const { status, body } = await context.requests.send({ path: pathOf(`pods/${pod}/log?${query}`, variables) })
  // A log that is JSON was parsed.
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  if (status === 200) return normal.of(text.replace(/\n$/, '').split('\n'))
  return normal.of({ status, message: (body as { message?: string }).message ?? text })
}

const tableForm = 'application/json;as=Table;v=v1;g=meta.k8s.io'

async function takeObjects(path: string, step: ObjectRecordStep, options: ObservationOptions): Promise<JsonValue> {
  const { context, variables, normal } = options
  const headers = { accept: step.table ? tableForm : 'application/json' }
  const { status, body } = await context.requests.send({ path: pathOf(path, variables), headers })
  if (typeof body === 'string') return { status, text: normal.of(body) }
  const answer = body as ResponseBody
  if (answer.kind === 'Status') return { notFound: answer.reason }
  if (step.table) return normal.of(masked(answer as Table, step.mask ?? []))
  const part = (object: JsonObject) => normal.of(picked(withPlainName(object), step.pick), step.mask)
  return Array.isArray(answer.items) ? answer.items.map(part).sort(compareJson) : part(answer)
}

interface Table {
  readonly columnDefinitions: readonly { readonly name: string }[]
  readonly rows?: readonly { readonly cells: readonly JsonValue[] }[]
}

function masked({ columnDefinitions, rows = [] }: Table, mask: readonly string[]): JsonValue {
  const cell = (value: JsonValue, column: number) => (mask.includes(columnDefinitions[column]!.name) ? '<any>' : value)
  return { columnDefinitions, rows: rows.map(({ cells }) => ({ cells: cells.map(cell) })) }
}

/** Replaces the random part of a name while `generateName` is still there: it may not be picked. */
function withPlainName(object: JsonObject): JsonObject {
  const metadata = object.metadata as JsonObject | undefined
  if (!metadata || !hasRandomName(metadata)) return object
  return { ...object, metadata: { ...metadata, name: `${metadata.generateName}<rand>` } }
}

const defaultFields = [
  'metadata.name',
  'metadata.generateName',
  'metadata.labels',
  'metadata.annotations',
  'metadata.ownerReferences',
  'metadata.finalizers',
  'status',
]

function picked(object: JsonObject, pick: ObjectRecordStep['pick'] = defaultFields): JsonValue {
  // Removes undefined members.
  if (typeof pick === 'function') return JSON.parse(JSON.stringify(pick(object))) as JsonValue
  const result: Record<string, JsonValue> = {}
  for (const path of pick) copy(object, result, path.split('.'))
  return result
}

function copy(from: JsonObject, to: Record<string, JsonValue>, [key = '', ...rest]: readonly string[]): void {
  const value = from[key]
  if (value === undefined) return
  if (rest.length === 0) to[key] = value
  else if (valueAt(value, rest) !== undefined) {
    to[key] ??= {}
    copy(value as JsonObject, to[key] as Record<string, JsonValue>, rest)
  }
}
