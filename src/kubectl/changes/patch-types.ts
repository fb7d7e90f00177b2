import type { FieldOptions, JsonObject } from '../../schema/declaration.js'
import { isObject } from '../../schema/json-value.js'
import type { LinkedType, ObjectField, ObjectType } from '../../schema/model.js'
import type { Rest } from '../factory/rest.js'
import type { ResourceObject } from '../resources/resource-object.js'

/** A schema of an OpenAPI document. */
interface Schema {
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly type?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly 'x-kubernetes-patch-merge-key'?: string
  readonly 'x-kubernetes-patch-strategy'?: string
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[]
}

interface Document {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
  readonly paths?: Readonly<Record<string, JsonObject>>
}

const strategicType = 'application/strategic-merge-patch+json'

/**
 * Reads from the server's OpenAPI documents how objects of a kind are merged. Undefined if the server accepts no strategic merge patches
 * for the kind.
 */
export class PatchTypes {
  readonly #documents = new Map<string, Promise<Document>>()
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  async typeOf({ resource }: Pick<ResourceObject, 'resource'>): Promise<ObjectType | undefined> {
    const { root, group, version, kind } = resource
    const document = await this.#document(root)
    const schemas = document.components?.schemas ?? {}
    const isKind = (schema: Schema) =>
      schema['x-kubernetes-group-version-kind']?.some(
        (each) => each.group === group && each.version === version && each.kind === kind,
      )
    const found = Object.entries(schemas).find(([, schema]) => isKind(schema))
    if (!found || !takesStrategic(document, resource)) return undefined
    return new TypeReader(schemas).named(found[0])
  }

  #document(root: string): Promise<Document> {
    const known = this.#documents.get(root) ?? this.#rest.json<Document>({ path: `/openapi/v3${root}` })
    this.#documents.set(root, known)
    return known
  }
}

function takesStrategic({ paths = {} }: Document, { root, plural, namespaced }: ResourceObject['resource']): boolean {
  const path = `${root}${namespaced ? '/namespaces/{namespace}' : ''}/${plural}/{name}`
  const { patch } = paths[path] ?? {}
  return JSON.stringify(patch ?? {}).includes(strategicType)
}

/** Builds types from schemas. Schemas may be recursive, so the fields of a type are read on first use. */
class TypeReader {
  readonly #schemas: Readonly<Record<string, Schema>>
  readonly #known = new Map<string, ObjectType>()

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas
  }

  named(name: string): ObjectType {
    const known = this.#known.get(name) ?? this.#object(name, this.#schemas[name] ?? {})
    this.#known.set(name, known)
    return known
  }

  #object(name: string, { properties = {} }: Schema): ObjectType {
    const read = () => new Map(Object.entries(properties).map(([key, schema]) => [key, this.#field(key, schema)]))
    let field: ReadonlyMap<string, ObjectField> | undefined
    return {
      name,
      fields: [],
      get field() {
        field ??= read()
        return field
      },
      atomic: false,
      unions: [],
      fastDecoding: true,
      strategy: {},
    }
  }

  #field(name: string, schema: Schema): ObjectField {
    return { name, type: this.#type(schema), tag: 0, required: false, absent: 'omitted', options: optionsOf(schema) }
  }

  #type(schema: Schema): LinkedType {
    const reference = schema.$ref ?? schema.allOf?.[0]?.$ref
    if (reference !== undefined) return this.#referred(reference.slice(reference.lastIndexOf('/') + 1))
    if (schema.type === 'array') return { is: 'list', of: this.#type(schema.items ?? {}) }
    if (schema.properties) return { is: 'object', object: this.#object('', schema) }
    if (isObject(schema.additionalProperties))
      return { is: 'map', of: this.#type(schema.additionalProperties as Schema) }
    return { is: schema.type === 'object' || schema.type === undefined ? 'json' : 'string' }
  }

  /** Resolves a reference. Quantities, times and similar types have a name but are not objects. */
  #referred(name: string): LinkedType {
    const schema = this.#schemas[name] ?? {}
    return schema.properties ? { is: 'object', object: this.named(name) } : this.#type(schema)
  }
}

function optionsOf(schema: Schema): FieldOptions {
  const mergeKey = schema['x-kubernetes-patch-merge-key']
  const patch = schema['x-kubernetes-patch-strategy'] as FieldOptions['patch']
  return { ...(mergeKey !== undefined && { mergeKey }), ...(patch !== undefined && { patch }) }
}
