import { groupVersion } from '../../client/discovery/discovered.js'
import type { JsonObject } from '../../schema/declaration.js'
import { isList, isObject, memberOf, objectIn, stringIn } from '../../schema/json-value.js'
import { compareText } from '../../schema/text-order.js'
import type { Explained } from './schema.js'
import { wrappedLines } from './wrap.js'

/** Returns the explanation from OpenAPI v2. Throws for an unknown kind or field. */
export function modelText(document: JsonObject, explained: Explained): string {
  const { group, version, kind, path } = explained
  const definitions = objectIn(document, 'definitions') ?? {}
  const schema = Object.values(definitions).find((each) => isObject(each) && isOfKind(each, explained))
  if (!isObject(schema)) throw new Error(`couldn't find resource for "${group}/${version}, Kind=${kind}"`)
  const models = new Models(definitions)
  return models.text(models.at(schema, path), explained)
}

function isOfKind(schema: JsonObject, { group, version, kind }: Explained): boolean {
  const kinds = memberOf(schema, 'x-kubernetes-group-version-kind')
  const isIt = (each: unknown) =>
    isObject(each) && stringIn(each, 'group') === group && each.version === version && each.kind === kind
  return isList(kinds) && kinds.some(isIt)
}

type Shape = 'reference' | 'kind' | 'map' | 'list' | 'value' | 'anything'

function shapeOf(schema: JsonObject): Shape {
  if (stringIn(schema, '$ref') !== '') return 'reference'
  const type = stringIn(schema, 'type')
  const hasFields = objectIn(schema, 'properties') !== undefined
  if (type === '' || type === 'object') return hasFields ? 'kind' : type === '' ? 'anything' : 'map'
  return type === 'array' ? 'list' : 'value'
}

const width = 80

class Models {
  readonly #definitions: JsonObject

  constructor(definitions: JsonObject) {
    this.#definitions = definitions
  }

  /** Follows the path. A scalar ends it. */
  at(schema: JsonObject, path: readonly string[]): JsonObject {
    const shape = shapeOf(schema)
    const [name, ...rest] = path
    if (name === undefined || shape === 'value' || shape === 'anything') return schema
    if (shape !== 'kind') return this.at(this.#inside(schema), path)
    const field = objectIn(objectIn(schema, 'properties')!, name)
    if (!field) throw new Error(`field "${name}" does not exist`)
    return this.at(field, rest)
  }

  /** Resolves references, and enters lists and maps. */
  #inside(schema: JsonObject): JsonObject {
    const reference = stringIn(schema, '$ref')
    if (reference !== '') return objectIn(this.#definitions, reference.split('/').at(-1)!) ?? {}
    return objectIn(schema, 'items') ?? objectIn(schema, 'additionalProperties') ?? {}
  }

  #typeText(schema: JsonObject): string {
    switch (shapeOf(schema)) {
      case 'reference':
        return this.#typeText(this.#inside(schema))
      case 'list':
        return `[]${this.#typeText(this.#inside(schema))}`
      case 'map':
        return `map[string]${this.#typeText(this.#inside(schema))}`
      case 'kind':
        return 'Object'
      default:
        return stringIn(schema, 'type')
    }
  }

  text(schema: JsonObject, { group, version, kind, path, isRecursive }: Explained): string {
    const descriptions: string[] = []
    let end = schema
    for (; ['reference', 'list', 'map'].includes(shapeOf(end)); end = this.#inside(end))
      descriptions.push(stringIn(end, 'description'))
    descriptions.push(stringIn(end, 'description'))
    const head = `KIND:     ${kind}\nVERSION:  ${groupVersion(group, version)}\n\n`
    const type = `${path.at(-1)} <${this.#typeText(schema)}>\n\n`
    const shape = shapeOf(end)
    if (shape !== 'kind')
      return `${head}${shape === 'value' ? `FIELD:    ${type}` : ''}${descriptionText(descriptions)}`
    const fields = isRecursive ? this.#allFields(end, 3, new Set()) : this.#fields(end)
    return `${head}${path.length === 0 ? '' : `RESOURCE: ${type}`}${descriptionText(descriptions)}\nFIELDS:\n${fields}`
  }

  #fields(schema: JsonObject): string {
    const properties = objectIn(schema, 'properties') ?? {}
    const required = memberOf(schema, 'required')
    return Object.keys(properties)
      .sort(compareText)
      .map((name) => {
        const field = properties[name] as JsonObject
        const mark = isList(required) && required.includes(name) ? ' -required-' : ''
        const lines = wrappedLines(stringIn(field, 'description'), width - 5)
        return `   ${name}\t<${this.#typeText(field)}>${mark}\n${shown(lines)}\n`
      })
      .join('')
  }

  #allFields(schema: JsonObject, indent: number, seen: ReadonlySet<string>): string {
    const shape = shapeOf(schema)
    if (shape === 'value' || shape === 'anything') return ''
    const reference = stringIn(schema, '$ref')
    if (shape !== 'kind')
      return seen.has(reference)
        ? ''
        : this.#allFields(this.#inside(schema), indent, reference === '' ? seen : new Set([...seen, reference]))
    const properties = objectIn(schema, 'properties') ?? {}
    return Object.keys(properties)
      .sort(compareText)
      .map((name) => {
        const field = properties[name] as JsonObject
        const line = `${' '.repeat(indent)}${name}\t<${this.#typeText(field)}>\n`
        return line + this.#allFields(field, indent + 3, seen)
      })
      .join('')
  }
}

/** Joins the descriptions of all schemas on the path, separated by empty lines. */
function descriptionText(descriptions: readonly string[]): string {
  const parts = descriptions.map((text, index) => {
    if (text === '') return ''
    return `${index === 0 ? '' : '\n'}${shown(wrappedLines(text, width - 5))}`
  })
  return `DESCRIPTION:\n${parts.join('') || '     <empty>\n'}`
}

function shown(lines: readonly string[]): string {
  return lines.map((line) => (line === '' ? '\n' : `     ${line}\n`)).join('')
}
