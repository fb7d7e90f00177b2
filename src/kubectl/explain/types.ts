import type { JsonObject } from '../../schema/declaration.js'
import { isList, isObject, memberOf, objectIn, stringIn } from '../../schema/json-value.js'

/** What a reference stands for; the schema itself where it is none, or leads nowhere. */
export function resolved(schema: JsonObject, document: JsonObject): JsonObject {
  return referred(schema, document) ?? schema
}

function referred(schema: JsonObject, document: JsonObject): JsonObject | undefined {
  const reference = stringIn(schema, '$ref')
  if (!reference.startsWith('#/')) return undefined
  const keys = reference.slice(2).split('/')
  return keys.reduce<JsonObject | undefined>((place, key) => place && objectIn(place, key), document)
}

/** `string`, `[]Container`, `map[string]Quantity`: a name of what is in a field. */
export function typeText(schema: JsonObject, document: JsonObject): string {
  const items = objectIn(schema, 'items')
  if (items) return `[]${typeText(items, document)}`
  const values = objectIn(schema, 'additionalProperties')
  if (values) return `map[string]${typeText(values, document)}`
  const parts = memberOf(schema, 'allOf')
  const [only] = isList(parts) && parts.length === 1 && !objectIn(schema, 'properties') ? parts : []
  if (isObject(only)) return typeText(only, document)
  const reference = stringIn(schema, '$ref')
  return reference === '' ? plainType(schema) : referenceType(reference, referred(schema, document))
}

function plainType(schema: JsonObject): string {
  const type = stringIn(schema, 'type')
  return type === '' || type === 'object' ? 'Object' : type
}

/** Objects are called by their names, anything else by what it is. */
function referenceType(reference: string, target: JsonObject | undefined): string {
  const type = stringIn(target, 'type')
  if (type !== '' && type !== 'object') return type
  const name = reference.split('/').at(-1) ?? ''
  return name.split('.').at(-1) || 'Object'
}
