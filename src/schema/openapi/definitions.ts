import type { EnumerationType, JsonObject, JsonValue } from '../declaration.js'
import type { LinkedType, ObjectField, ObjectType } from '../model.js'
import type { Scheme } from '../scheme.js'
import { type Dialect, isEmptySchema, isNamedScalar, plainScalars, scalarNames } from './dialect.js'
import type { DocumentOptions } from './document-options.js'
import { addFieldExtensions, type DraftSchema, groupVersionKinds, unions } from './extensions.js'
import { compare, definitionNames } from './names.js'

/**
 * Collects the definitions of one document: of every requested type, and of the types that these refer to. Every reference that `schema`
 * returns is among the definitions that `all` returns.
 */
export class Definitions {
  readonly #scheme: Scheme
  readonly #dialect: Dialect
  readonly #publication: DocumentOptions
  readonly #nameOf: (declared: string) => string
  readonly #byName = new Map<string, JsonObject>()
  readonly #waiting: ObjectType[] = []

  constructor(scheme: Scheme, dialect: Dialect, publication: DocumentOptions) {
    this.#scheme = scheme
    this.#dialect = dialect
    this.#publication = publication
    this.#nameOf = definitionNames(scheme.groups)
  }

  /** All definitions in the order of their names. */
  all(): Record<string, JsonObject> {
    for (let type = this.#waiting.pop(); type; type = this.#waiting.pop()) {
      this.#byName.set(this.#nameOf(type.name), this.#define(type))
    }
    return Object.fromEntries([...this.#byName].sort(([a], [b]) => compare(a, b)))
  }

  /** The schema of `type`: a reference if it has a definition. `more` applies to this use of the type only. */
  schema(type: LinkedType, more: JsonObject = nothing): JsonObject {
    switch (type.is) {
      case 'object':
        return this.#dialect.referring(this.#note(type.object), more)
      case 'either':
        return this.#dialect.referring(this.#refer(this.#nameOf(type.name), {}), more)
      case 'list':
        return { type: 'array', items: this.#element(type.of), ...more }
      case 'map':
        return { type: 'object', additionalProperties: this.#element(type.of), ...more }
      case 'enumeration':
        return joined(this.#enumeration(type), more)
      default:
        if (!isNamedScalar(type.is)) return joined(plainScalars[type.is], more)
        return this.#dialect.referring(this.#refer(scalarNames[type.is], this.#dialect.scalars[type.is]), more)
    }
  }

  #refer(name: string, definition: JsonObject): JsonObject {
    if (!this.#byName.has(name)) this.#byName.set(name, definition)
    return { $ref: this.#dialect.references + name }
  }

  /** Queues the definition of `type`, because types may be recursive. */
  #note(type: ObjectType): JsonObject {
    const name = this.#nameOf(type.name)
    if (!this.#byName.has(name)) this.#waiting.push(type)
    return this.#refer(name, nothing)
  }

  #element(type: LinkedType): JsonObject {
    const zero = this.#dialect.defaults ? zeroOf(type) : undefined
    return this.schema(type, zero === undefined ? nothing : { default: zero })
  }

  #enumeration({ values, open }: EnumerationType): JsonObject {
    if (open || !this.#publication.enumerations) return plainScalars.string
    return { ...plainScalars.string, enum: [...values].sort() }
  }

  #define(type: ObjectType): JsonObject {
    const definition: DraftSchema = { type: 'object' }
    const properties = this.#properties(type)
    const required = type.fields.filter((field) => field.required).map((field) => field.name)
    const kinds = groupVersionKinds(type, this.#scheme)
    if (properties.length > 0) definition.properties = Object.fromEntries(properties)
    if (required.length > 0) definition.required = required
    if (type.atomic) definition['x-kubernetes-map-type'] = 'atomic'
    if (type.unions.length > 0) definition['x-kubernetes-unions'] = type.unions.map(unions)
    if (kinds.length > 0) definition['x-kubernetes-group-version-kind'] = kinds
    return definition
  }

  #properties(type: ObjectType): [string, JsonObject][] {
    const properties = type.fields.map((field): [string, JsonObject] => [field.name, this.#property(field, type)])
    if (type.kind && !type.kind.untyped) {
      properties.push(['apiVersion', plainScalars.string], ['kind', plainScalars.string])
    }
    return properties.sort(([a], [b]) => compare(a, b))
  }

  #property(field: ObjectField, of: ObjectType): JsonObject {
    const more: DraftSchema = {}
    if (this.#dialect.defaults) {
      const value = field.options.default ?? (field.absent === 'zero' ? zeroOf(field.type) : undefined)
      if (value !== undefined) more.default = value
    }
    addFieldExtensions(more, field, of)
    return this.schema(field.type, more)
  }
}

const nothing: JsonObject = {}

function joined(schema: JsonObject, more: JsonObject): JsonObject {
  return isEmptySchema(more) ? schema : { ...schema, ...more }
}

/** The default of a value that cannot be null; undefined for types without a zero. */
function zeroOf(type: LinkedType): JsonValue | undefined {
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
    case 'object':
      return {}
    default:
      return undefined
  }
}
