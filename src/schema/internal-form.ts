/**
 * Formats an object for messages in which upstream prints its internal Go struct instead of the JSON form: with every field, under
 * the Go names of the fields.
 */
import type { Field, JsonValue, Schema, Type } from './declaration.js'

/** Returns a function that formats objects of the first type. The other types are those that it contains. */
export function internalForm<T extends object>(...schemas: readonly [Schema, ...Schema[]]): (object: T) => JsonValue {
  const byName = new Map(schemas.map((schema) => [schema.name, schema]))
  return (object) => shownObject(schemas[0], object, byName)
}

type Schemas = ReadonlyMap<string, Schema>

function shownObject(schema: Schema, object: object, schemas: Schemas): JsonValue {
  const fields = Object.entries({ ...schema.required, ...schema.optional })
  fields.sort(([, one], [, other]) => Number.parseFloat(String(one.tag)) - Number.parseFloat(String(other.tag)))
  const values = object as Readonly<Record<string, unknown>>
  return Object.fromEntries(fields.map(([name, field]) => [goName(name), shownField(field, values[name], schemas)]))
}

function shownField(field: Field, value: unknown, schemas: Schemas): JsonValue {
  if (value !== undefined && value !== null) return shown(field.type, value, schemas)
  const isPointer = field.options.keepZero || field.options.always === 'null'
  return isPointer ? null : absent(field, schemas)
}

/** Absent lists, maps and optional objects are null; everything else is the zero of its type. */
function absent({ type, options }: Field, schemas: Schemas): JsonValue {
  switch (type.is) {
    case 'string':
    case 'enumeration':
      return ''
    case 'bool':
      return false
    case 'int32':
    case 'int64':
    case 'double':
      return 0
    case 'reference':
      return options.always ? shown(type, {}, schemas) : null
    default:
      return null
  }
}

function shown(type: Type, value: unknown, schemas: Schemas): JsonValue {
  if (type.is === 'list') return (value as readonly unknown[]).map((element) => shown(type.of, element, schemas))
  if (type.is === 'map')
    return Object.fromEntries(
      Object.entries(value as object).map(([key, element]) => [key, shown(type.of, element, schemas)]),
    )
  const schema = type.is === 'reference' ? schemas.get(type.name) : undefined
  return schema ? shownObject(schema, value as object, schemas) : (value as JsonValue)
}

/** Words that Go names write in capitals at their beginning. */
const initials = ['api', 'cel', 'uid', 'url', 'json', 'ca']

function goName(name: string): string {
  const word = initials.find((initial) => name === initial || new RegExp(`^${initial}[A-Z]`).test(name))
  if (word) return word.toUpperCase() + name.slice(word.length)
  return name[0]!.toUpperCase() + name.slice(1)
}
