import type { JsonObject, JsonValue } from '../../schema/declaration.js'

/**
 * Whatever the server answered. Scenarios look deep into objects of every kind, and what is not there yet is a reason to wait, not a
 * mistake: types would only be in the way. This is the one place that says so.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Answered = any

/** An object to be made. The runner knows the group and version of its kind. */
export type Manifest = JsonObject & { readonly kind: string; readonly metadata: JsonObject }

/** Written `{name}` in paths and bodies: `ns` (the scenario's namespace), `id` (unique to the run), `node`, and what was saved. */
export type Variables = Readonly<Record<string, string>>

/** What is done to a cluster, and what is there afterwards. */
export interface Scenario {
  /** By which its recording is found. */
  readonly name: string
  /** What it is about, and so what must run. */
  readonly needs: 'controllers' | 'scheduler' | 'kubelet'
  /** Makes nodes, which every pod of the cluster would see: it runs when no other does. */
  readonly exclusive?: boolean
  /** Hand-made nodes that send no heartbeat. */
  readonly silent?: readonly string[]
  /** Begins without waiting for what every namespace has. */
  readonly bare?: boolean
  /** Writes files for the kubelet. */
  readonly manifests?: boolean
  readonly steps: readonly Step[]
}

/**
 * Paths are `pods`, `pods/name`, `pods/name/status`, `pods?labelSelector=…`, in the scenario's namespace where the resource has one, or
 * absolute ones that begin with `/`.
 */
export type Step = Apply | Patch | Post | Delete | Until | Play | File | Sleep | Save | RecordStep

/** Creates objects. Those that are in no namespace are removed at the end. */
export interface Apply {
  readonly apply: Manifest | readonly Manifest[]
}

export interface Patch {
  readonly patch: string
  /** `merge` unless told. */
  readonly type?: 'merge' | 'strategic' | 'json'
  readonly body: JsonValue
}

export interface Post {
  readonly post: string
  readonly body: JsonValue
}

export interface Delete {
  readonly delete: string
  readonly body?: JsonValue
}

/** Waits. A look that throws has not found what it looks for. */
export interface Until {
  readonly until: string
  readonly get: string
  readonly where: (object: Answered, variables: Variables) => unknown
  /** In seconds: 30 unless told. */
  readonly timeout?: number
}

/** Does what a kubelet would do with pods of a selector: writes their status. */
export interface Play {
  readonly play: string
  /** How many pods, at least: 1 unless told. */
  readonly count?: number
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed'
  readonly ready?: boolean
  readonly ip?: string
  /** What the containers end with. */
  readonly exit?: number
  readonly reason?: string
  /** In seconds. */
  readonly timeout?: number
}

/** Writes a file into the kubelet's folder of static pods; without content, removes it. */
export interface File {
  readonly file: string
  readonly content?: JsonObject
}

export interface Sleep {
  /** In seconds. */
  readonly sleep: number
}

export interface Save {
  /** The variable. */
  readonly save: string
  readonly get: string
  readonly value: (object: Answered) => string
}

/** Compares what is there with what was recorded. */
export type RecordStep = ObjectRecord | EventRecord | LogRecord

export interface ObjectRecord {
  readonly record: string
  readonly get: string | readonly string[]
  /** Which part of each object: dotted paths, or a function. */
  readonly pick?: readonly string[] | ((object: Answered) => unknown)
  /** Fields, or columns, whose value plays no part. */
  readonly mask?: readonly string[]
  /** As a table. */
  readonly table?: boolean
  /** It was taken as soon as it was there: the state passes. */
  readonly now?: boolean
}

export interface EventRecord {
  readonly record: string
  /** All, or those that are to be told. */
  readonly events: true | ((event: Answered, variables: Variables) => boolean)
  /** Elsewhere than in the scenario's namespace. */
  readonly get?: string
  readonly now?: boolean
}

export interface LogRecord {
  readonly record: string
  /** `pod` or `pod/container` */
  readonly logs: string
  readonly previous?: boolean
  readonly now?: boolean
}
