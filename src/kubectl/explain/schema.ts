import type { JsonObject } from '../../schema/declaration.js'
import { isList, isObject, memberOf, objectIn, sameJson, stringIn } from '../../schema/json-value.js'
import { compareText } from '../../schema/text-order.js'
import { indented, wrapped } from './wrap.js'

/** What to explain: a kind in one version, and a path of fields. */
export interface Explained {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  readonly path: readonly string[]
  readonly isRecursive: boolean
}

interface Head {
  readonly text: string
  readonly schema: JsonObject
}

/** Returns the heading. The kind comes from the paths of the document. */
export function headOf(document: JsonObject, explained: Explained): Head {
  const kind = kindOf(document, explained)
  if (!kind) {
    const { group, version, plural } = explained
    throw new Error(`error: GVR (${group}/${version}, Resource=${plural}) not found in OpenAPI schema`)
  }
  const group = stringIn(kind, 'group')
  const lines = [
    ...(group === '' ? [] : [`GROUP:      ${group}`]),
    `KIND:       ${stringIn(kind, 'kind')}`,
    `VERSION:    ${stringIn(kind, 'version')}`,
  ]
  const schemas = objectIn(objectIn(document, 'components') ?? {}, 'schemas') ?? {}
  const schema = Object.values(schemas).find((each) => isObject(each) && isOfKind(each, kind)) as JsonObject | undefined
  if (!schema) throw new Error(`error: GVK ${JSON.stringify(kind)} not found in OpenAPI schema`)
  return { text: `${lines.join('\n')}\n\n`, schema }
}

const kindKey = 'x-kubernetes-group-version-kind'
const methods = ['get', 'post', 'put', 'patch', 'delete']

function kindOf(document: JsonObject, { group, version, plural }: Explained): JsonObject | undefined {
  const root = `${group === '' ? '/api' : `/apis/${group}`}/${version}`
  const paths = [`${root}/${plural}`, `${root}/namespaces/{namespace}/${plural}`]
  for (const path of paths.flatMap((each) => [each, `${each}/{name}`])) {
    const operations = objectIn(objectIn(document, 'paths') ?? {}, path) ?? {}
    for (const method of methods) {
      const kind = objectIn(objectIn(operations, method) ?? {}, kindKey)
      if (kind) return kind
    }
  }
  return undefined
}

function isOfKind(schema: JsonObject, kind: JsonObject): boolean {
  const kinds = memberOf(schema, kindKey)
  return isList(kinds) && kinds.some((each) => sameJson(each, kind))
}

/** Describes the field at the end of the path. Throws for an unknown field. */
export function fieldsText(document: JsonObject, schema: JsonObject, explained: Explained): string {
  const text = new SchemaText(document, explained.isRecursive).at(schema, explained.path, new Set())
  if (text === '') throw new Error(`field "${explained.path.at(-1)}" does not exist`)
  return text
}

type Seen = ReadonlySet<string>

class SchemaText {
  readonly #document: JsonObject
  readonly #isRecursive: boolean

  constructor(document: JsonObject, isRecursive: boolean) {
    this.#document = document
    this.#isRecursive = isRecursive
  }

  /** '' if the path does not exist or is recursive. */
  at(schema: JsonObject, path: readonly string[], seen: Seen): string {
    const reference = stringIn(schema, '$ref')
    const own = resolved(schema, this.#document)
    const [name, ...rest] = path
    if (name === undefined) return this.#whole(own)
    if (reference !== '' && seen.has(reference)) return ''
    const next = new Set([...seen, reference])
    const field = objectIn(objectIn(own, 'properties') ?? {}, name)
    if (field) {
      const head = rest.length > 0 ? '' : `FIELD: ${name} <${typeText(field, this.#document)}>\n${longEnum(field)}\n\n`
      return head + this.at(field, rest, new Set())
    }
    for (const inner of insides(own)) {
      const text = this.at(inner, path, next)
      if (text !== '') return text
    }
    return ''
  }

  #whole(schema: JsonObject): string {
    const description = this.#description(schema) || '<empty>'
    const fields = this.#fields(schema, 1, new Set())
    const text = `DESCRIPTION:\n${indented(wrapped(description, 76), 4)}\n`
    return fields === '' ? text : `${text}FIELDS:\n${fields}`
  }

  #description(schema: JsonObject): string {
    const own = resolved(schema, this.#document)
    const text = stringIn(own, 'description')
    const inside = [...listOf(own, 'allOf'), ...elementsOf(own)].map((each) => this.#description(each))
    return `${text === '' ? '' : `${text}\n`}${inside.join('')}`
  }

  #fields(schema: JsonObject, level: number, seen: Seen): string {
    const reference = stringIn(schema, '$ref')
    if (reference !== '' && seen.has(reference)) return ''
    const next = new Set([...seen, reference])
    const own = resolved(schema, this.#document)
    const properties = objectIn(own, 'properties') ?? {}
    const names = Object.keys(properties).sort(compareText)
    const fields = names.map((name) => {
      const field = properties[name] as JsonObject
      return this.#field(own, name, level) + (this.#isRecursive ? this.#fields(field, level + 1, next) : '')
    })
    const inside = [...listOf(own, 'allOf'), ...elementsOf(own)].map((each) => this.#fields(each, level, next))
    return [...fields, ...inside].join('')
  }

  #field(schema: JsonObject, name: string, level: number): string {
    const field = objectIn(objectIn(schema, 'properties')!, name)!
    const indent = level * 2
    const required = memberOf(schema, 'required')
    const mark = isList(required) && required.includes(name) ? ' -required-' : ''
    const head = `${' '.repeat(indent)}${name}\t<${typeText(field, this.#document)}>${mark}${shortEnum(field, indent)}\n`
    if (this.#isRecursive) return head
    const description = stringIn(field, 'description') || '<no description>'
    return `${head}${indented(wrapped(description, 78 - indent), indent + 2)}\n\n`
  }
}

/** The schemas that a path continues in: items, map values and parts. */
function insides(schema: JsonObject): readonly JsonObject[] {
  const elements = elementsOf(schema)
  return elements.length > 0 ? elements.slice(0, 1) : listOf(schema, 'allOf')
}

function elementsOf(schema: JsonObject): readonly JsonObject[] {
  return [objectIn(schema, 'items'), objectIn(schema, 'additionalProperties')].filter((each) => each !== undefined)
}

function listOf(schema: JsonObject, name: string): readonly JsonObject[] {
  const list = memberOf(schema, name)
  return isList(list) ? list.filter(isObject) : []
}

const fewValues = 4

function enumOf(schema: JsonObject): readonly string[] {
  const values = memberOf(schema, 'enum')
  return isList(values) ? values.map((value) => (value === '' ? '""' : String(value))) : []
}

function shortEnum(schema: JsonObject, indent: number): string {
  const values = enumOf(schema)
  if (values.length === 0) return ''
  const more = values.length > fewValues ? ', ....' : ''
  return `\n${' '.repeat(indent)}enum: ${values.slice(0, fewValues).join(', ')}${more}`
}

function longEnum(schema: JsonObject): string {
  const values = enumOf(schema)
  return values.length === 0 ? '' : `ENUM:${values.map((value) => `\n    ${value}`).join('')}`
}

/** Resolves a reference. Returns the schema itself if it is not a reference, or the target is missing. */
export function resolved(schema: JsonObject, document: JsonObject): JsonObject {
  return referred(schema, document) ?? schema
}

function referred(schema: JsonObject, document: JsonObject): JsonObject | undefined {
  const reference = stringIn(schema, '$ref')
  if (!reference.startsWith('#/')) return undefined
  const keys = reference.slice(2).split('/')
  return keys.reduce<JsonObject | undefined>((place, key) => place && objectIn(place, key), document)
}

/** The type of a field: `string`, `[]Container`, `map[string]Quantity`. */
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

/** The name of a referenced object type, or the type of other schemas. */
function referenceType(reference: string, target: JsonObject | undefined): string {
  const type = stringIn(target, 'type')
  if (type !== '' && type !== 'object') return type
  const name = reference.split('/').at(-1) ?? ''
  return name.split('.').at(-1) || 'Object'
}
