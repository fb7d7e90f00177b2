import { readFileSync } from 'node:fs'
import { builtin } from '../../api/scheme.js'
import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import { isObject } from '../../schema/json-value.js'
import type { ServedKind } from '../../schema/scheme.js'
import { type RecordedRequest, type RecordedRequests, readRecording, recordings } from '../golden/recording.js'

/** Objects of the kinds that are served, as a v1.36 server or its clients wrote them. */
export type RecordedObjects = ReadonlyMap<ServedKind, readonly JsonObject[]>

/** Returns the objects that a server sent to its clients: responses to writes and reads, and list items. */
export function responseObjects(): RecordedObjects {
  const single = JSON.parse(readFileSync('src/api/recorded-objects.json', 'utf8')) as readonly JsonValue[]
  return distinct([...single, ...scenarios().flatMap(({ steps }) => steps.flatMap(objectsInResponse))])
}

/** Returns the objects that clients sent to be created, accepted or not. */
export function postedObjects(): RecordedObjects {
  return distinct(scenarios().flatMap(({ steps }) => steps.flatMap(({ request }) => posts(request))))
}

function scenarios(): readonly RecordedRequests[] {
  return recordings.flatMap((name) => readRecording(name))
}

/** Skips responses with ignored fields, because they are incomplete. */
function objectsInResponse({ request, answer }: RecordedRequests['steps'][number]): readonly JsonValue[] {
  if (request.ignore || !answer || answer.status < 200 || answer.status > 299 || !isObject(answer.body)) return []
  const { items, apiVersion, kind } = answer.body
  if (!Array.isArray(items)) return [answer.body]
  return items
    .filter(isObject)
    .map((item) => ({ apiVersion: String(apiVersion), kind: String(kind).replace(/List$/, ''), ...item }))
}

function posts(request: RecordedRequest): readonly JsonValue[] {
  const own = request.method === 'POST' && request.body !== undefined ? [request.body] : []
  return [...own, ...(request.steps ?? []).flatMap(posts)]
}

function distinct(values: readonly JsonValue[]): RecordedObjects {
  const found = new Map<ServedKind, JsonObject[]>()
  for (const text of new Set(values.map((value) => JSON.stringify(concrete(value))))) {
    const object = JSON.parse(text) as JsonValue
    if (!isObject(object)) continue
    const type = builtin.kind(String(object.apiVersion), String(object.kind)) as ServedKind | undefined
    if (type?.kind?.resource) found.set(type, [...(found.get(type) ?? []), object])
  }
  return found
}

const labels: readonly (readonly [RegExp, string])[] = [
  [/<time>/g, '2024-01-01T00:00:00.000000Z'],
  [/<clusterIP>/g, '10.96.0.10'],
  [/<rv>|\{rv\}/g, '1'],
  [/<rand>/g, 'x7k2p'],
  [/\{ns\}/g, 'default'],
  [/\{\w+\}/g, 'id'],
]

/** Recordings have labels where values differ from run to run; here is a value for each. */
function concrete(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    if (value === '<nodePort>') return 30_080
    const identified = value.replace(/<uid-(\d+)>/g, (_, n: string) => uid(n))
    return labels.reduce((text, [label, instead]) => text.replace(label, instead), identified)
  }
  if (Array.isArray(value)) return value.map((element) => concrete(element))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [concrete(name) as string, concrete(member)]))
}

function uid(number: string): string {
  return `00000000-0000-4000-8000-${number.padStart(12, '0')}`
}
