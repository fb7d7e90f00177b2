import type { JsonObject, JsonValue } from '../../schema/declaration.js'

/**
 * Whatever the server answered. Scenarios look deep into objects of every kind, and what is not there yet is a reason to wait, not a
 * mistake: types would only be in the way. This is the one place that says so.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type ResponseBody = any

/** An object to be made. The runner knows the group and version of its kind. */
export type ScenarioManifest = JsonObject & { readonly kind: string; readonly metadata: JsonObject }

/** Written `{name}` in paths and bodies: `ns` (the scenario's namespace), `id` (unique to the run), `node`, and what was saved. */
export type ScenarioVariables = Readonly<Record<string, string>>

/** What is done to a cluster, and what is there afterwards. */
export interface ClusterScenario {
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
  readonly steps: readonly ScenarioStep[]
}

/**
 * Paths are `pods`, `pods/name`, `pods/name/status`, `pods?labelSelector=…`, in the scenario's namespace where the resource has one, or
 * absolute ones that begin with `/`.
 */
export type ScenarioStep =
  | ApplyStep
  | PatchStep
  | PostStep
  | DeleteStep
  | UntilStep
  | PodStatusStep
  | FileStep
  | SleepStep
  | SaveStep
  | RecordStep

/** Creates objects. Those that are in no namespace are removed at the end. */
export interface ApplyStep {
  readonly apply: ScenarioManifest | readonly ScenarioManifest[]
}

export interface PatchStep {
  readonly patch: string
  /** `merge` unless told. */
  readonly type?: 'merge' | 'strategic' | 'json'
  readonly body: JsonValue
}

export interface PostStep {
  readonly post: string
  readonly body: JsonValue
}

export interface DeleteStep {
  readonly delete: string
  readonly body?: JsonValue
}

/** Waits. A look that throws has not found what it looks for. */
export interface UntilStep {
  readonly until: string
  readonly get: string
  readonly where: (object: ResponseBody, variables: ScenarioVariables) => unknown
  /** In seconds: 30 unless told. */
  readonly timeout?: number
}

/** Does what a kubelet would do with pods of a selector: writes their status. */
export interface PodStatusStep {
  readonly podStatus: string
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
export interface FileStep {
  readonly file: string
  readonly content?: JsonObject
}

export interface SleepStep {
  /** In seconds. */
  readonly sleep: number
}

export interface SaveStep {
  /** The variable. */
  readonly save: string
  readonly get: string
  readonly value: (object: ResponseBody) => string
}

/** Compares what is there with what was recorded. */
export type RecordStep = ObjectRecordStep | EventRecordStep | LogRecordStep

export interface ObjectRecordStep {
  readonly record: string
  readonly get: string | readonly string[]
  /** Which part of each object: dotted paths, or a function. */
  readonly pick?: readonly string[] | ((object: ResponseBody) => unknown)
  /** Fields, or columns, whose value plays no part. */
  readonly mask?: readonly string[]
  /** As a table. */
  readonly table?: boolean
  /** It was taken as soon as it was there: the state passes. */
  readonly now?: boolean
}

export interface EventRecordStep {
  readonly record: string
  /** All, or those that are to be told. */
  readonly events: true | ((event: ResponseBody, variables: ScenarioVariables) => boolean)
  /** Elsewhere than in the scenario's namespace. */
  readonly get?: string
  readonly now?: boolean
}

export interface LogRecordStep {
  readonly record: string
  /** `pod` or `pod/container` */
  readonly logs: string
  readonly previous?: boolean
  readonly now?: boolean
}
