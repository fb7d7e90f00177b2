import type { FieldOptions, JsonObject, JsonValue } from '../../declaration.js'
import type { LinkedType, ObjectField, ObjectType } from '../../model.js'
import { compareText } from '../../text-order.js'
import { canonicalJson } from '../canonical-json.js'
import {
  anyShape,
  atomicAnyShape,
  type KeyField,
  type ListShape,
  type ScalarShape,
  type StructField,
  type StructShape,
  type ValueShape,
} from './shape.js'

interface UnfinishedStruct extends StructShape {
  readonly field: Map<string, StructField>
}

const shapes = new WeakMap<ObjectType, UnfinishedStruct>()

/** The shape of a declared type; always the same for the same type. */
export function shapeOf(type: ObjectType): StructShape {
  const known = shapes.get(type)
  if (known) return known
  const shape: UnfinishedStruct = { is: 'struct', field: new Map(), atomic: type.atomic }
  shapes.set(type, shape) // types may be recursive: register the shape before creating its fields
  const fields = [...(type.kind ? typeFields : []), ...type.fields.map(structField)]
  for (const [name, field] of fields.sort(([a], [b]) => compareText(a, b))) shape.field.set(name, field)
  return shape
}

const string: ScalarShape = { is: 'scalar', of: 'string' }
const number: ScalarShape = { is: 'scalar', of: 'number' }
const boolean: ScalarShape = { is: 'scalar', of: 'boolean' }
const anyScalar: ScalarShape = { is: 'scalar', of: 'any' }

const typeFields = ['apiVersion', 'kind'].map((name): NamedField => [name, { shape: string, absent: undefined }])

type NamedField = readonly [name: string, field: StructField]

function structField({ name, type, absent, options }: ObjectField): NamedField {
  const standIn = absent === 'zero' ? zero(type) : absent === 'null' ? null : undefined
  return [name, { shape: fieldShape(type, options), absent: standIn }]
}

function fieldShape(type: LinkedType, options: FieldOptions): ValueShape {
  switch (type.is) {
    case 'list':
      return listShape(type.of, options)
    case 'map':
      return { is: 'map', of: elementShape(type.of), atomic: options.atomic ?? false }
    case 'object':
      return options.atomic ? { ...shapeOf(type.object), atomic: true } : shapeOf(type.object)
    default:
      return scalarShape(type)
  }
}

/** Elements of lists and maps have no options of their own. */
function elementShape(type: LinkedType): ValueShape {
  return fieldShape(type, {})
}

function listShape(of: LinkedType, { keys = [], set }: FieldOptions): ListShape {
  const items = keys.length > 0 ? 'keyed' : set ? 'set' : 'atomic'
  return {
    is: 'list',
    of: elementShape(of),
    items,
    keys: [...keys].sort(compareText).map(keyField(of)),
    keyNames: keys,
  }
}

function keyField(of: LinkedType): (name: string) => KeyField {
  return (name) => {
    const declared = of.is === 'object' ? of.object.field.get(name) : undefined
    const standIn = declared && keyDefault(declared)
    return { name, label: `${canonicalJson(name)}:`, ...(standIn !== undefined && { default: standIn }) }
  }
}

/** The value of an absent key: the declared default, or the zero that is published as the default of required scalars. */
function keyDefault({ type, absent, options }: ObjectField): JsonValue | undefined {
  if (options.default !== undefined) return options.default
  const standIn = absent === 'zero' ? zero(type) : undefined
  return standIn === null ? undefined : standIn
}

function scalarShape(type: LinkedType): ValueShape {
  switch (type.is) {
    case 'string':
    case 'enumeration':
    case 'bytes':
      return string
    case 'int32':
    case 'int64':
    case 'double':
      return number
    case 'bool':
      return boolean
    case 'time':
    case 'microTime':
    case 'quantity':
      return anyScalar
    case 'rawExtension':
      return atomicAnyShape
    default:
      return anyShape // published without a type
  }
}

/** The value of an absent field that must not be omitted. */
function zero(type: LinkedType): JsonValue {
  switch (type.is) {
    case 'string':
    case 'enumeration':
    case 'bytes':
      return ''
    case 'bool':
      return false
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return 0
    case 'quantity':
      return '0'
    case 'object':
      return emptyObject(shapeOf(type.object))
    default:
      return null
  }
}

/** The object without any configured field, with which new objects are compared. */
export function emptyObject(shape: StructShape): JsonObject {
  const object: Record<string, JsonValue> = {}
  for (const [name, { absent }] of shape.field) if (absent !== undefined) object[name] = absent
  return object
}
