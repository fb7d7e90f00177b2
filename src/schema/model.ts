import type {
  EnumerationType,
  FieldOptions,
  Resource,
  ScalarType,
  TableDeclaration,
  Tag,
  Union,
} from './declaration.js'
import type { RegistryStrategy } from './strategy.js'

/** A declared object type after linking: references by name have become references to types. All interpreters in `schema/` use it. */
export interface ObjectType {
  /** `apps/v1.DeploymentSpec` */
  readonly name: string
  /** In canonical order, which is that of the protobuf numbers, without `kind` and `apiVersion`. */
  readonly fields: readonly ObjectField[]
  readonly field: ReadonlyMap<string, ObjectField>
  readonly atomic: boolean
  readonly unions: readonly Union[]
  /** Defaults that depend on more than one field. */
  readonly defaults?: (draft: never) => void
  /** Computed table cells. */
  readonly table?: Pick<TableDeclaration, 'cells' | 'rowConditions'>
  /** Whether its decoder may take the fast path; see `SchemeOptions`. */
  readonly fastDecoding: boolean
  /** Set for kinds. */
  readonly kind?: Kind
  /** Empty for types that are not kinds, and for kinds without a strategy. */
  readonly strategy: RegistryStrategy<never>
}

export interface ObjectField {
  readonly name: string
  readonly type: LinkedType
  readonly tag: Tag
  readonly required: boolean
  /** How an absent field is encoded: not at all, as the zero of its type, or as null. */
  readonly absent: 'omitted' | 'zero' | 'null'
  readonly options: FieldOptions
}

export type LinkedType =
  | ScalarType
  | EnumerationType
  | { readonly is: 'object'; readonly object: ObjectType }
  | { readonly is: 'list'; readonly of: LinkedType }
  | { readonly is: 'map'; readonly of: LinkedType }
  | { readonly is: 'either'; readonly name: string; readonly alternatives: readonly LinkedType[] }

export interface Kind {
  /** The group's full name: `rbac.authorization.k8s.io`, or `''` for the core group. */
  readonly group: string
  readonly version: string
  /** `rbac.authorization.k8s.io/v1`, or `v1` for the core group. */
  readonly apiVersion: string
  readonly kind: string
  readonly resource?: Resource
  readonly everywhere: boolean
  /** Sent without `apiVersion` and `kind`. */
  readonly untyped: boolean
  /** For the list of a kind: the kind that it lists. */
  readonly listOf?: ObjectType
}
