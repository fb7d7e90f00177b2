import type { EnumerationType, FieldOptions, Resource, Rules, ScalarType, Tag, Union } from './declaration.js'
import type { Strategy } from './strategy.js'

/** Declarations after linking: names have become the types they name. This is what every interpreter in this folder walks. */
export interface ObjectType {
  /** `apps/v1.DeploymentSpec` */
  readonly name: string
  /** In canonical order, which is that of the protobuf numbers; `kind` and `apiVersion` are not among them. */
  readonly fields: readonly ObjectField[]
  readonly field: ReadonlyMap<string, ObjectField>
  readonly atomic: boolean
  readonly unions: readonly Union[]
  readonly rules: readonly Rules[]
  /** Set for kinds. */
  readonly kind?: Kind
  /** How objects of this kind live; empty for types that are no kinds. */
  readonly strategy: Strategy<never>
}

export interface ObjectField {
  readonly name: string
  readonly type: LinkedType
  readonly tag: Tag
  readonly required: boolean
  /** What is written when the field is absent: nothing, the zero of its type, or null. */
  readonly absent: 'omitted' | 'zero' | 'null'
  readonly options: FieldOptions
}

export type LinkedType =
  | ScalarType
  | EnumerationType
  | { readonly is: 'object'; readonly object: ObjectType }
  | { readonly is: 'list'; readonly of: LinkedType }
  | { readonly is: 'map'; readonly of: LinkedType }
  | { readonly is: 'either'; readonly name: string; readonly options: readonly LinkedType[] }

export interface Kind {
  /** The group's full name: `rbac.authorization.k8s.io`, or `''` for the core. */
  readonly group: string
  readonly version: string
  /** `rbac.authorization.k8s.io/v1`, or `v1` for the core. */
  readonly apiVersion: string
  readonly kind: string
  readonly resource?: Resource
  readonly everywhere: boolean
  /** Travels without `apiVersion` and `kind`. */
  readonly untyped: boolean
  /** For the list of a kind: the kind that it lists. */
  readonly listOf?: ObjectType
}

/** A group of the API, as the scheme and discovery need to know it. */
export interface Group {
  /** As declarations name it: `rbac`. */
  readonly short: string
  /** As clients name it: `rbac.authorization.k8s.io`. */
  readonly name: string
  /** Versions that are served, the preferred one first. */
  readonly served: readonly string[]
  /** Versions in which options and watch events may travel, beyond those that have declarations. */
  readonly legacy: readonly string[]
  /** What the names of its types begin with in OpenAPI documents: `io.k8s.api.rbac`. */
  readonly openapi: string
}
