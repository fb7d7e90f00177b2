import type { LinkedType, ObjectField, ObjectType } from '../model.js'

/**
 * How an object lies in a protobuf message: its fields by number. It differs from JSON where a message is nested that JSON
 * inlines; everything else is the same tree.
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

/** A message of its own whose fields stand in the same JSON object as those around it. It is always there. */
export interface NestedEntry {
  readonly is: 'nested'
  readonly number: number
  readonly layout: MessageLayout
}

/** Fields without a number cannot be written, and are left out. */
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
 * Whether a list has a message of its own around it, with the elements in field 1: where the list's Go type has a name and holds
 * scalars (`Verbs`). The other place is a map, whose values cannot be repeated (`map[string]ExtraValue`).
 */
export function isWrappedList({ type, options }: ObjectField): boolean {
  if (type.is !== 'list' || type.of.is === 'object') return false
  return options.goType !== undefined && !options.goType.startsWith('[')
}

const protobufSupport = new WeakMap<ObjectType, boolean>()

/**
 * Whether objects of a type can travel as protobuf: all of their fields have numbers, down to the last. Types of which not all
 * numbers are known, custom ones above all, travel in other forms.
 */
export function hasProtobuf(type: ObjectType): boolean {
  const known = protobufSupport.get(type)
  if (known !== undefined) return known
  protobufSupport.set(type, true) // a type inside itself is settled by the rest of it
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
