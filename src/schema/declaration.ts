/**
 * What a declaration is: plain data about one API type. Declarations name other types instead of holding them, so each file
 * stands alone and the order in which files are loaded does not matter; a `Scheme` links them.
 */
import type { FieldError } from './field-errors.js'

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
  /** Any JSON value, handed through untouched. */
  | 'json'
  /** Any JSON value; published as `RawExtension`. */
  | 'rawExtension'
  /** A set of owned fields; handed through untouched. */
  | 'fieldsV1'

/** A string of which some values are known. An open one takes others as well. */
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

/** One of several types that JSON can tell apart, such as a boolean or an object. Published as a type without a schema. */
export interface EitherType {
  readonly is: 'either'
  readonly name: string
  readonly options: readonly Type[]
}

/**
 * The protobuf field number. `'2.1'` is field 1 of a message that JSON inlines and protobuf holds in field 2; 0 means that no
 * number is known.
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

/** A field that is there in every object that was decoded, given or not. */
export interface PresentField<T = unknown> extends Field<T> {
  readonly options: FieldOptions & { readonly always: true }
}

export interface FieldOptions {
  /** Stands in when the field is absent. */
  readonly default?: JsonValue
  /**
   * Zero (`0`, `false`, `''`) is a value of its own, different from absent. Without this an optional field that is zero counts
   * as absent, and an optional list or map that is empty always does.
   */
  readonly keepZero?: boolean
  /**
   * Written even when absent: `true` as the zero of its type (`{}` for an object, `null` for a list, map or time), `'null'` as
   * null. Required fields are unless this is `false`.
   */
  readonly always?: boolean | 'null'
  /** The type's name in decoding errors, where it is not the obvious one. */
  readonly goType?: string
  /** Only there where this feature is on: otherwise nobody knows the field. */
  readonly gate?: string

  /** Server-side apply: a list whose elements are told apart by these fields. Lists are atomic otherwise. */
  readonly keys?: readonly string[]
  /** Server-side apply: a list of distinct scalars. */
  readonly set?: boolean
  /** Server-side apply: a map or object that has one owner as a whole. */
  readonly atomic?: boolean
  /** Strategic merge patch: the field that tells list elements apart. Lists are replaced as a whole otherwise. */
  readonly mergeKey?: string
  readonly patch?: 'merge' | 'retainKeys' | 'merge,retainKeys' | 'replace'

  readonly constraints?: Constraints
}

/** What structural validation checks. Rules that involve more than one field are functions beside the declaration. */
export interface Constraints {
  /** An empty string, list or map, or an absent field, is refused as a missing required value. */
  readonly nonEmpty?: boolean
  readonly minimum?: number
  readonly maximum?: number
  /** In bytes of UTF-8. */
  readonly maxLength?: number
  readonly maxItems?: number
  /** Values outside a closed enumeration are refused. */
  readonly supported?: boolean
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
  /** Sets of fields of which only one is meant to be there. Published; not enforced. */
  readonly unions: readonly Union[]
  /** Only there where this feature is on; its rules and strategy with it, and the version in which it is served. */
  readonly gate?: string
  /** Set for types that are kinds. */
  readonly kind?: KindFacts
}

export interface Union {
  /** The field whose value says which of them it is. */
  readonly discriminator?: string
  readonly fields: readonly string[]
}

export interface KindFacts {
  /** Travels in every group and version, as options and watch events do. */
  readonly everywhere?: boolean
  /** Travels without `apiVersion` and `kind`. */
  readonly untyped?: boolean
  /** Has a list kind although no resource serves it: a version that is declared but not served. */
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
  /** Deleting an object is answered with the object itself instead of a status. */
  readonly returnsDeleted: boolean
  readonly columns: readonly Column[]
  /** Told with every answer: since when, and what to use instead. */
  readonly deprecation?: string
}

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch'

export interface Subresource {
  readonly verbs: readonly Verb[]
  /** The declared kind that it takes and gives, if not its parent's: `autoscaling/v1.Scale`. */
  readonly kind?: string
  /** A kind without a declaration, that only discovery names: `PodExecOptions`. */
  readonly undeclaredKind?: string
  /** Options that it takes in the query. */
  readonly query?: Readonly<Record<string, QueryType>>
  /** Answers text instead of an object. */
  readonly text?: boolean
  /** The request's path goes on behind it, and is handed through. */
  readonly anyPath?: boolean
}

export type QueryType = 'string' | 'boolean' | 'integer'

/** A column of the table that `kubectl get` shows. */
export interface Column {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format: string
  /** 0 is always shown, more only with `-o wide`. */
  readonly priority: number
  readonly description: string
  /** Where the cell's value stands, as a JSON path: `.spec.replicas`. Cells that take thought are functions in `rules`. */
  readonly path?: string
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

export type JsonObject = { readonly [key: string]: JsonValue }

/** What a file of declarations may export for the scheme to find. Anything else it exports is left alone. */
export type Declaration = Schema | Rules | StrategyDeclaration

/** Behaviour that data cannot say, attached to a declared type. Made by `rules()`. */
export interface Rules {
  readonly is: 'rules'
  /** The name of the type that these belong to. */
  readonly of: string
  /** Fills in what depends on more than one field. Runs before the defaults of fields, and before those of what is inside. */
  readonly defaults?: (draft: never) => void
  /** Checks what depends on more than one field, or on what the object was before. */
  readonly validate?: (object: never, context: never) => Iterable<FieldError>
  /** Cells of the table, by the name of their column. */
  readonly cells?: Readonly<Record<string, (object: never, now: number) => JsonValue>>
  /** What is told beside a row of the table. */
  readonly rowConditions?: (object: never) => readonly JsonObject[]
}

/** How objects of a kind live. Made by `strategy()`. */
export interface StrategyDeclaration {
  readonly is: 'strategy'
  /** The name of the kind that it belongs to. */
  readonly of: string
  /** A `Strategy`, which this file cannot know. */
  readonly strategy: object
}

/** The declarations among the exports of `modules`. */
export function declarationsIn(modules: readonly object[]): readonly Declaration[] {
  return modules.flatMap((module) => Object.values(module).filter(isDeclaration))
}

function isDeclaration(value: unknown): value is Declaration {
  if (typeof value !== 'object' || value === null || !('is' in value)) return false
  return value.is === 'schema' || value.is === 'rules' || value.is === 'strategy'
}
