import type { JsonObject, JsonValue } from '../declaration.js'
import type { Element } from './element.js'

/**
 * What server-side apply needs to know of a type: which parts of a value can have owners of their own, and how the items of a
 * list are told apart. Made from linked types by `shapeOf`; custom resources may make theirs directly.
 */
export type Shape = ScalarShape | ListShape | MapShape | StructShape | AnyShape

export interface ScalarShape {
  readonly is: 'scalar'
  readonly of: 'string' | 'number' | 'boolean' | 'any'
}

export interface ListShape {
  readonly is: 'list'
  readonly of: Shape
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
  readonly of: Shape
  /** Has one owner as a whole. */
  readonly atomic: boolean
}

export interface StructShape {
  readonly is: 'struct'
  /** In the order of their names. */
  readonly fields: readonly StructField[]
  readonly field: ReadonlyMap<string, StructField>
  readonly atomic: boolean
  /** What fields that are not declared are, where such may be. */
  readonly others?: Shape
}

export interface StructField {
  readonly name: string
  readonly element: Element
  readonly shape: Shape
  /** Stands for the field in an object of which nothing was given; undefined for most. */
  readonly absent: JsonValue | undefined
  /** Every object inherits something under this name, so only an own property is a value. */
  readonly inherited: boolean
}

/** A value of which nothing is declared. Lists have one owner; maps too if `atomic`, else each of their keys has its own. */
export interface AnyShape {
  readonly is: 'any'
  readonly atomic: boolean
}

export const anything: AnyShape = { is: 'any', atomic: false }
export const anythingAtomic: AnyShape = { is: 'any', atomic: true }

/** Whether a value of this shape has one owner as a whole. */
export function isAtomic(shape: Shape): boolean {
  if (shape.is === 'list') return shape.items === 'atomic'
  return shape.is === 'scalar' || shape.atomic
}

/** What a field's value is in `object`. */
export function read(object: JsonObject, field: StructField): JsonValue | undefined {
  return field.inherited && !Object.hasOwn(object, field.name) ? undefined : object[field.name]
}

/** What the member of a struct called `name` is. */
export function memberShape(struct: StructShape, name: string): Shape | undefined {
  return struct.field.get(name)?.shape ?? struct.others
}
