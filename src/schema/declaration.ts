/**
 * A declaration is plain data about one API type. It refers to other types by name, so each file stands alone and the order in which
 * files are loaded does not matter; a `Scheme` links the declarations.
 */

/** A type that fields have. */
export type Type = ScalarType | EnumerationType | ReferenceType | ListType | MapType | EitherType

export interface ScalarType {
  readonly is: ScalarName
}

export type ScalarName =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  /** Base64 in JSON. */
  | 'bytes'
  /** RFC 3339, UTC, whole seconds. */
  | 'time'
  /** RFC 3339, UTC, microseconds. */
  | 'microTime'
  | 'quantity'
  | 'intOrString'
  /** Any JSON value, passed through unchanged. */
  | 'json'
  /** Any JSON value; published as `RawExtension`. */
  | 'rawExtension'
  /** A set of owned fields, passed through unchanged. */
  | 'fieldsV1'

/** A string with known values. An open enumeration accepts other values as well. */
export interface EnumerationType {
  readonly is: 'enumeration'
  readonly name: string
  readonly values: readonly string[]
  readonly open: boolean
}

/** A declared type, by name: `core/v1.Container`. */
export interface ReferenceType {
  readonly is: 'reference'
  readonly name: string
}

export interface ListType {
  readonly is: 'list'
  readonly of: Type
}

/** Keys are always strings. */
export interface MapType {
  readonly is: 'map'
  readonly of: Type
}

/** One of several types that differ in JSON, such as a boolean or an object. OpenAPI publishes it as a type without a schema. */
export interface EitherType {
  readonly is: 'either'
  readonly name: string
  readonly alternatives: readonly Type[]
}

/**
 * The protobuf field number. `'2.1'` is field 1 of a message that JSON inlines and protobuf stores in field 2; 0 means that no number
 * is known.
 */
export type Tag = number | `${number}.${number}` | `${number}.${number}.${number}`

declare const value: unique symbol

export interface Field<T = unknown> {
  readonly type: Type
  readonly tag: Tag
  readonly options: FieldOptions
  /** Only for the compiler: the TypeScript type of the field's value. */
  readonly [value]?: T
}

/** A field that every decoded object has, whether or not the client sent it. */
export interface PresentField<T = unknown> extends Field<T> {
  readonly options: FieldOptions & { readonly always: true }
}

export interface FieldOptions {
  /** The value of an absent field. */
  readonly default?: JsonValue
  /**
   * Zero (`0`, `false`, `''`) differs from absent. Without this, decoding drops an optional field that is zero. It always drops an
   * empty optional list or map.
   */
  readonly keepZero?: boolean
  /**
   * Encoded even when absent: `true` as the zero of its type (`{}` for an object, `null` for a list, map or time), `'null'` as null.
   * Required fields are always encoded unless this is `false`.
   */
  readonly always?: boolean | 'null'
  /** The type's name in decoding errors, where it is not the obvious one. */
  readonly goType?: string
  /** The feature gate that enables the field; while it is off the field is unknown. */
  readonly gate?: string

  /** Server-side apply: the fields that identify a list element. Lists are atomic otherwise. */
  readonly keys?: readonly string[]
  /** Server-side apply: a list of distinct scalars. */
  readonly set?: boolean
  /** Server-side apply: a map or object that has one owner as a whole. */
  readonly atomic?: boolean
  /** Strategic merge patch: the field that identifies a list element. Lists are replaced as a whole otherwise. */
  readonly mergeKey?: string
  readonly patch?: 'merge' | 'retainKeys' | 'merge,retainKeys' | 'replace'
}

export type Fields = Readonly<Record<string, Field>>

/** A declared object type. */
export interface Schema<Required extends Fields = Fields, Optional extends Fields = Fields> {
  readonly is: 'schema'
  /** `<group>/<version>.<Type>`, with the short name of the group: `rbac/v1.PolicyRule`. */
  readonly name: string
  readonly required: Required
  readonly optional: Optional
  /** Server-side apply: has one owner as a whole, wherever it is used. */
  readonly atomic: boolean
  /** Sets of fields of which a client should set only one. OpenAPI publishes them; nothing enforces them. */
  readonly unions: readonly Union[]
  /** The feature gate that enables the type, with its defaults, table and strategy, and the version in which it is served. */
  readonly gate?: string
  /** Set for types that are kinds. */
  readonly kind?: KindFacts
}

export interface Union {
  /** The field whose value names the one that is set. */
  readonly discriminator?: string
  readonly fields: readonly string[]
}

export interface KindFacts {
  /** Part of every group and version, like `DeleteOptions` and `WatchEvent`. */
  readonly everywhere?: boolean
  /** Sent without `apiVersion` and `kind`. */
  readonly untyped?: boolean
  /** Has a list kind although no resource serves it: the version is declared but not served. */
  readonly listed?: boolean
  /** For a derived list: the name of the kind that it lists. */
  readonly listOf?: string
  /** The resource that serves this kind, if one does. */
  readonly resource?: Resource
}

/** Where and how a kind is served. */
export interface Resource {
  readonly plural: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly namespaced: boolean
  readonly verbs: readonly Verb[]
  readonly subresources: Readonly<Record<string, Subresource>>
  /** The response to a DELETE is the deleted object instead of a `Status`. */
  readonly returnsDeleted: boolean
  readonly columns: readonly Column[]
  /** Sent as a warning with every response: since when it is deprecated, and what replaces it. */
  readonly deprecation?: string
}

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch'

export interface Subresource {
  readonly verbs: readonly Verb[]
  /** The declared kind of its requests and responses, if not that of its parent: `autoscaling/v1.Scale`. */
  readonly kind?: string
  /** A kind without a declaration that only discovery lists: `PodExecOptions`. */
  readonly undeclaredKind?: string
  /** Its query parameters. */
  readonly query?: Readonly<Record<string, QueryType>>
  /** The response is text instead of an object. */
  readonly text?: boolean
  /** The rest of the request path is passed on to the target. */
  readonly anyPath?: boolean
}

export type QueryType = 'string' | 'boolean' | 'integer'

/** A column of the table that `kubectl get` shows. */
export interface Column {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format: string
  /** Columns with priority 0 are always shown, others only with `-o wide`. */
  readonly priority: number
  readonly description: string
  /** The JSON path of the cell's value: `.spec.replicas`. Cells that have to be computed are functions in a `TableDeclaration`. */
  readonly path?: string
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

export type JsonObject = { readonly [key: string]: JsonValue }

/** What `declarationsIn` finds among the exports of a module. */
export type Declaration = Schema | DefaultsDeclaration | TableDeclaration | StrategyDeclaration

/** Defaults that a constant cannot express, attached to a declared type by `declareDefaults()`. */
export interface DefaultsDeclaration {
  readonly is: 'defaults'
  /** The name of the declared type. */
  readonly of: string
  /** Fills in what depends on more than one field. Runs before the constant defaults of fields, and before the defaults of nested types. */
  readonly defaults: (draft: never) => void
}

/** The computed cells of a kind's table, made by `declareTable()`. */
export interface TableDeclaration {
  readonly is: 'table'
  readonly of: string
  /** By the name of their column. `now` is in milliseconds since the epoch. */
  readonly cells: Readonly<Record<string, (object: never, now: number) => JsonValue>>
  /** The conditions of a table row. */
  readonly rowConditions?: (object: never) => readonly JsonObject[]
}

/** What a kind does differently from the others when it is created, updated or deleted. Made by `declareStrategy()`. */
export interface StrategyDeclaration {
  readonly is: 'strategy'
  readonly of: string
  /** A `RegistryStrategy`, whose type this file cannot import. */
  readonly strategy: object
}

/** The declarations among the exports of `modules`, and those in a list that a module exports as `declarations`. */
export function declarationsIn(modules: readonly object[]): readonly Declaration[] {
  return modules.flatMap((module) => {
    const { declarations = [], ...exported } = module as { readonly declarations?: readonly Declaration[] }
    return [...Object.values(exported), ...declarations].filter(isDeclaration)
  })
}

const declarationTypes: ReadonlySet<unknown> = new Set<Declaration['is']>(['schema', 'defaults', 'table', 'strategy'])

function isDeclaration(value: unknown): value is Declaration {
  return typeof value === 'object' && value !== null && 'is' in value && declarationTypes.has(value.is)
}
