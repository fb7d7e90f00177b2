import type { JsonValue } from '../../declaration.js'

/**
 * The facts of a type that server-side apply uses: which parts of a value can have owners of their own, and how list items are
 * identified. `shapeOf` creates it from a linked type; custom resources may create theirs directly.
 */
export type ValueShape = ScalarShape | ListShape | MapShape | StructShape | AnyShape

export interface ScalarShape {
  readonly is: 'scalar'
  readonly of: 'string' | 'number' | 'boolean' | 'any'
}

export interface ListShape {
  readonly is: 'list'
  readonly of: ValueShape
  /** `atomic`: the list has one owner. `set`: a list of distinct scalars. `keyed`: a list of objects, identified by `keys`. */
  readonly items: 'atomic' | 'set' | 'keyed'
  /** In the order of their names. */
  readonly keys: readonly KeyField[]
  /** In the order of the declaration, for messages. */
  readonly keyNames: readonly string[]
}

export interface KeyField {
  readonly name: string
  /** The name as part of path elements: `"containerPort":`. */
  readonly label: string
  /** The value of a key that an item does not have. */
  readonly default?: JsonValue
}

export interface MapShape {
  readonly is: 'map'
  readonly of: ValueShape
  /** Has one owner as a whole. */
  readonly atomic: boolean
}

export interface StructShape {
  readonly is: 'struct'
  /** By name, in the order of names. */
  readonly field: ReadonlyMap<string, StructField>
  readonly atomic: boolean
  /** The shape of undeclared fields, where they are allowed. */
  readonly others?: ValueShape
}

export interface StructField {
  readonly shape: ValueShape
  /** The value of the field in an object without any configured field; undefined for most. */
  readonly absent: JsonValue | undefined
}

/** An untyped value. Lists have one owner. Maps have one if `atomic`, otherwise each key has owners of its own. */
export interface AnyShape {
  readonly is: 'any'
  readonly atomic: boolean
}

export const anyShape: AnyShape = { is: 'any', atomic: false }
export const atomicAnyShape: AnyShape = { is: 'any', atomic: true }

/** Whether a value of this shape has one owner as a whole. */
export function isAtomic(shape: ValueShape): boolean {
  if (shape.is === 'list') return shape.items === 'atomic'
  return shape.is === 'scalar' || shape.atomic
}

/** The shape of the member `name`; undefined if a value cannot have it. */
export function memberShape(shape: ValueShape, name: string): ValueShape | undefined {
  if (shape.is === 'struct') return shape.field.get(name)?.shape ?? shape.others
  if (shape.is === 'map') return shape.of
  return shape.is === 'any' ? shape : undefined
}

/** Whether a member is a declared field, rather than a map key. */
export function isDeclared(shape: ValueShape, name: string): boolean {
  return shape.is === 'struct' && (!shape.others || shape.field.has(name))
}
