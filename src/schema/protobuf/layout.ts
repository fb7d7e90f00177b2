import type { LinkedType, ObjectField, ObjectType } from '../model.js'

/**
 * The layout of an object in a protobuf message: its fields by number. It has the structure of the JSON form, except for nested messages
 * whose fields JSON inlines.
 */
export interface MessageLayout {
  /** In ascending order of numbers. */
  readonly entries: readonly LayoutEntry[]
}

export type LayoutEntry = FieldEntry | NestedEntry

export interface FieldEntry {
  readonly is: 'field'
  readonly number: number
  readonly field: ObjectField
}

/** A nested message whose fields JSON inlines. It is never absent. */
export interface NestedEntry {
  readonly is: 'nested'
  readonly number: number
  readonly layout: MessageLayout
}

/** The layout of a type. Omits fields without a number. */
export function messageLayout({ fields }: ObjectType): MessageLayout {
  return layoutFrom(fields.flatMap((field) => (field.tag === 0 ? [] : [{ field, path: pathOf(field) }])))
}

interface FieldLocation {
  readonly field: ObjectField
  /** `[2, 1]` is field 1 of the message in field 2. */
  readonly path: readonly number[]
}

function pathOf({ tag }: ObjectField): readonly number[] {
  return String(tag).split('.').map(Number)
}

function layoutFrom(placed: readonly FieldLocation[]): MessageLayout {
  const entries: LayoutEntry[] = []
  const inside = new Map<number, FieldLocation[]>()
  for (const { field, path } of placed) {
    const [number = 0, ...rest] = path
    if (rest.length === 0) entries.push({ is: 'field', number, field })
    else inside.set(number, [...(inside.get(number) ?? []), { field, path: rest }])
  }
  for (const [number, nested] of inside) entries.push({ is: 'nested', number, layout: layoutFrom(nested) })
  return { entries: entries.sort((a, b) => a.number - b.number) }
}

/**
 * Whether a list is wrapped in a message, with its elements in field 1. That is so for lists of scalars with a named Go type (`Verbs`),
 * and, elsewhere in this folder, for lists as map values, which protobuf cannot repeat (`map[string]ExtraValue`).
 */
export function isWrappedList({ type, options }: ObjectField): boolean {
  if (type.is !== 'list' || type.of.is === 'object') return false
  return options.goType !== undefined && !options.goType.startsWith('[')
}

const protobufSupport = new WeakMap<ObjectType, boolean>()

/**
 * Whether objects of a type can be encoded as protobuf: all of their fields, at any depth, have numbers. Others, such as custom resources,
 * are only served as JSON and the like.
 */
export function hasProtobuf(type: ObjectType): boolean {
  const known = protobufSupport.get(type)
  if (known !== undefined) return known
  protobufSupport.set(type, true) // for recursive types, the other fields decide
  const answer = type.fields.every((field) => field.tag !== 0 && typeHasProtobuf(field.type))
  protobufSupport.set(type, answer)
  return answer
}

function typeHasProtobuf(type: LinkedType): boolean {
  switch (type.is) {
    case 'object':
      return hasProtobuf(type.object)
    case 'list':
    case 'map':
      return typeHasProtobuf(type.of)
    case 'either':
      return type.alternatives.every(typeHasProtobuf)
    default:
      return true
  }
}
