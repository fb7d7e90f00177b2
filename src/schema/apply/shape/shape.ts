import type { JsonValue } from '../../declaration.js'

/**
 * What server-side apply needs to know of a type: which parts of a value can have owners of their own, and how the items of a
 * list are told apart. Made from linked types by `shapeOf`; custom resources may make theirs directly.
 */
export type ValueShape = ScalarShape | ListShape | MapShape | StructShape | AnyShape

export interface ScalarShape {
  readonly is: 'scalar'
  readonly of: 'string' | 'number' | 'boolean' | 'any'
}

export interface ListShape {
  readonly is: 'list'
  readonly of: ValueShape
  /** `atomic`: has one owner as a whole. `set`: of distinct scalars. `keyed`: of objects, told apart by `keys`. */
  readonly items: 'atomic' | 'set' | 'keyed'
  /** In the order of their names. */
  readonly keys: readonly KeyField[]
  /** As they were declared, for messages. */
  readonly keyNames: readonly string[]
}

export interface KeyField {
  readonly name: string
  /** The name as it stands in elements: `"containerPort":`. */
  readonly label: string
  /** Stands in for a key that an item does not give. */
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
  /** By name, and in the order of the names. */
  readonly field: ReadonlyMap<string, StructField>
  readonly atomic: boolean
  /** What fields that are not declared are, where such may be. */
  readonly others?: ValueShape
}

export interface StructField {
  readonly shape: ValueShape
  /** Stands for the field in an object of which nothing was given; undefined for most. */
  readonly absent: JsonValue | undefined
}

/** A value of which nothing is declared. Lists have one owner; maps too if `atomic`, else each of their keys has its own. */
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

/** What the member of a value called `name` is; undefined if it can have none of this name. */
export function memberShape(shape: ValueShape, name: string): ValueShape | undefined {
  if (shape.is === 'struct') return shape.field.get(name)?.shape ?? shape.others
  if (shape.is === 'map') return shape.of
  return shape.is === 'any' ? shape : undefined
}

/** Whether a member is a field of its own, rather than a key that is anybody's to choose. */
export function isDeclared(shape: ValueShape, name: string): boolean {
  return shape.is === 'struct' && (!shape.others || shape.field.has(name))
}
