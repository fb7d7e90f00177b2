import { readFileSync } from 'node:fs'
import type { JsonObject, JsonValue } from '../../schema/declaration.js'

/** Requests that were sent to a v1.36.4 API server, and what it answered: one file for each field of behaviour. */
export interface RecordedRequests {
  readonly name: string
  /** Needs no namespace of its own. */
  readonly clusterScoped?: boolean
  readonly noServiceAccount?: boolean
  readonly nsLabels?: Readonly<Record<string, string>>
  readonly cleanup?: readonly RecordedRequest[]
  readonly steps: readonly { readonly request: RecordedRequest; readonly answer?: RecordedResponse }[]
}

export interface RecordedRequest {
  readonly method?: string
  readonly path?: string
  readonly body?: JsonValue
  readonly headers?: Readonly<Record<string, string | null>>
  /** The content type of the body. */
  readonly type?: string
  readonly as?: { readonly user: string; readonly groups?: readonly string[] }
  /** Values of the answer to be used later, by the names of variables: paths of names. */
  readonly save?: Readonly<Record<string, string>>
  /** Repeat until the code is the recorded one. */
  readonly wait?: boolean
  /** Repeat until the body is the recorded one. */
  readonly settle?: boolean
  readonly managedFields?: boolean
  readonly keepNodePort?: boolean
  readonly ignore?: readonly string[]
  /** A watch to open, what to do while it is open, and how many events to take from it. */
  readonly watch?: string
  readonly steps?: readonly RecordedRequest[]
  readonly events?: number
}

export interface RecordedResponse {
  readonly status: number
  readonly contentType?: string
  readonly warning?: JsonValue
  readonly body?: JsonValue
  readonly events?: readonly JsonValue[]
  readonly steps?: readonly RecordedResponse[]
}

export const recordings = ['00-example', '10-workloads', '20-machinery', '30-security', '40-extensions'] as const

export function readRecording(name: (typeof recordings)[number]): readonly RecordedRequests[] {
  const scenarios = JSON.parse(readFileSync(`src/testing/golden/recordings/${name}.json`, 'utf8')) as JsonValue
  return unfolded(scenarios) as unknown as readonly RecordedRequests[]
}

/** Long runs of one character are written `{x*1000}`, long lists of one element `{"{times}": 1000, "of": …}`. */
function unfolded(value: JsonValue): JsonValue {
  if (typeof value === 'string')
    return value.replace(/\{(.)\*(\d+)\}/gs, (_, character: string, count: string) => character.repeat(Number(count)))
  if (Array.isArray(value)) return value.map(unfolded)
  if (typeof value !== 'object' || value === null) return value
  const object = value as JsonObject
  const times = object['{times}']
  if (typeof times === 'number') return Array.from({ length: times }, () => unfolded(object.of!))
  return Object.fromEntries(Object.entries(object).map(([key, member]) => [unfolded(key) as string, unfolded(member)]))
}
