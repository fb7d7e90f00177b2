import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import type { RecordedRequest } from './recording.js'

/** What differs from run to run, replaced by labels; the same value gets the same label within a scenario. */
export class NormalForm {
  readonly #variables: Readonly<Record<string, string>>
  readonly #uids = new Map<string, string>()

  constructor(variables: Readonly<Record<string, string>>) {
    this.#variables = variables
  }

  of(value: JsonValue, request: RecordedRequest): JsonValue {
    const normal = this.#walk(value, '', request)
    for (const path of request.ignore ?? []) forget(normal, path.split('.'))
    return normal
  }

  #text(text: string): string {
    const { ns = '', id = '' } = this.#variables
    return text
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (uid) => this.#uid(uid))
      .replaceAll(ns, '{ns}')
      .replaceAll(id, '{id}')
      .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
      .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<jwt>')
      .replace(/\b10\.96\.\d+\.\d+\b/g, '<clusterIP>')
      .replace(/\bkube-api-access-[a-z0-9]{5}\b/g, 'kube-api-access-<rand>')
  }

  #uid(uid: string): string {
    if (!this.#uids.has(uid)) this.#uids.set(uid, `<uid-${this.#uids.size + 1}>`)
    return this.#uids.get(uid)!
  }

  #walk(value: JsonValue, key: string, request: RecordedRequest): JsonValue {
    if (typeof value === 'string') {
      if (key === 'resourceVersion' && value !== '' && value !== '0') return '<rv>'
      return key === 'continue' && value !== '' ? '<continue>' : this.#text(value)
    }
    if (Array.isArray(value)) return value.map((element) => this.#walk(element, '', request))
    return typeof value === 'object' && value !== null ? this.#object(value as JsonObject, request) : value
  }

  #object(object: JsonObject, request: RecordedRequest): JsonObject {
    const normal: Record<string, JsonValue> = {}
    for (const [key, value] of Object.entries(object)) {
      if (key === 'managedFields' && !request.managedFields) continue
      normal[key] = this.#member(key, value, request)
    }
    const { name, generateName } = normal
    if (typeof generateName === 'string' && typeof name === 'string' && name.startsWith(generateName))
      normal.name = `${generateName}<rand>`
    return normal
  }

  #member(key: string, value: JsonValue, request: RecordedRequest): JsonValue {
    if (key === 'nodePort' && Number(value) >= 30000 && Number(value) <= 32767 && !request.keepNodePort)
      return '<nodePort>'
    if (key === 'healthCheckNodePort' && value) return '<nodePort>'
    if (key === 'columnDefinitions' && Array.isArray(value))
      return (value as JsonObject[]).map(({ description, ...column }) => column)
    if (key === 'cells' && Array.isArray(value))
      return value.map((cell) => (isAge(cell) ? '<age>' : this.#walk(cell, '', request)))
    return this.#walk(value, key, request)
  }
}

function isAge(cell: JsonValue): boolean {
  return typeof cell === 'string' && /^(?=.)(\d+d)?(\d+h)?(\d+m)?(\d+s)?$/.test(cell)
}

export function valueAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((at, key) => (at as JsonObject | undefined)?.[key], value)
}

function forget(value: JsonValue, path: readonly string[]): void {
  const parent = valueAt(value, path.slice(0, -1)) as Record<string, JsonValue> | undefined
  if (parent) delete parent[path.at(-1)!]
}

/** Where two values differ, at most a few places. */
export function differences(want: JsonValue | undefined, got: JsonValue | undefined): readonly string[] {
  const found: string[] = []
  compare(want, got, '', found)
  return found
}

const shownDifferences = 7

function compare(want: JsonValue | undefined, got: JsonValue | undefined, path: string, found: string[]): void {
  if (found.length >= shownDifferences || want === got) return
  if (!isContainer(want) || !isContainer(got) || Array.isArray(want) !== Array.isArray(got)) {
    found.push(`${path || '(body)'}: want ${shown(want)} got ${shown(got)}`)
    return
  }
  for (const key of new Set([...Object.keys(want), ...Object.keys(got)]))
    compare(want[key], got[key], path ? `${path}.${key}` : key, found)
}

function isContainer(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null
}

function shown(value: JsonValue | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
