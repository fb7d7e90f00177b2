import { createHash } from 'node:crypto'
import type { JsonObject, JsonValue } from '../declaration.js'
import type { LinkedType } from '../model.js'
import type { Scheme } from '../scheme.js'
import { Definitions } from './definitions.js'
import { version3 } from './dialect.js'
import type { DocumentOptions } from './document-options.js'
import { documentRoutes } from './documents.js'
import { compare } from './names.js'
import { type Parameter, sortedParameters } from './parameters.js'
import { commonParameters, phrases, type Route, type RouteBody, type RouteOperation } from './route.js'

/** The paths of all version 3 documents below `/openapi/v3/`. */
export function openapiV3Paths(scheme: Scheme, publication: DocumentOptions): readonly string[] {
  return [...documentRoutes(scheme, publication).keys()]
}

/** The OpenAPI 3.0 document at `path`, such as `apis/apps/v1`; undefined if there is none. */
export function openapiV3(scheme: Scheme, path: string, publication: DocumentOptions): JsonObject | undefined {
  const routes = documentRoutes(scheme, publication).get(path)?.()
  if (!routes) return undefined
  const writer = new Writer(new Definitions(scheme, version3, publication))
  const paths = Object.fromEntries(routes.map((route) => [route.path, writer.path(route)]))
  const schemas = writer.definitions.all()
  return {
    openapi: '3.0.0',
    info: publication.info,
    paths,
    components: {
      ...(Object.keys(schemas).length > 0 && { schemas }),
      securitySchemes: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
    },
  }
}

/** The index of all documents. The URL of a document changes with its content, so that clients can cache it. */
export function openapiV3Index(documents: Iterable<readonly [path: string, content: string | Uint8Array]>): JsonObject {
  const paths: [string, JsonValue][] = []
  for (const [path, content] of documents) {
    const hash = createHash('sha512').update(content).digest('hex').toUpperCase()
    paths.push([path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }])
  }
  return { paths: Object.fromEntries(paths.sort(([a], [b]) => compare(a, b))) }
}

class Writer {
  readonly definitions: Definitions
  readonly #written = new Map<Parameter, JsonObject>()

  constructor(definitions: Definitions) {
    this.definitions = definitions
  }

  path(route: Route): JsonObject {
    const common = commonParameters(route)
    const operations = route.operations.map((operation) => [operation.method, this.#operation(operation, common)])
    return {
      ...Object.fromEntries(operations),
      ...(common.size > 0 && { parameters: [...common].map((parameter) => this.#parameter(parameter)) }),
    }
  }

  #operation(operation: RouteOperation, common: ReadonlySet<Parameter>): JsonObject {
    const { id, tag, action, about, body, consumes } = operation
    const parameters = sortedParameters(operation.parameters.filter((parameter) => !common.has(parameter)))
    return {
      tags: [tag],
      operationId: id,
      ...(parameters.length > 0 && { parameters: parameters.map((parameter) => this.#parameter(parameter)) }),
      ...(body && { requestBody: this.#body(body, consumes) }),
      responses: this.#responses(operation),
      ...(action && { 'x-kubernetes-action': action }),
      ...(about && { 'x-kubernetes-group-version-kind': about }),
    }
  }

  #parameter(parameter: Parameter): JsonObject {
    const known = this.#written.get(parameter)
    if (known) return known
    const { name, in: place, type } = parameter
    const required = place === 'path'
    const written = { in: place, name, ...(required && { required }), schema: { type, uniqueItems: true } }
    this.#written.set(parameter, written)
    return written
  }

  #body({ type, required }: RouteBody, consumes: readonly string[]): JsonObject {
    return { content: this.#content(type, consumes), ...(required && { required }) }
  }

  #responses({ responses: answers, produces }: RouteOperation): JsonObject {
    const answered = Object.entries(answers).map(([code, type]): [string, JsonValue] => [
      code,
      { description: phrases[Number(code)]!, content: this.#content(type, produces) },
    ])
    return Object.fromEntries([...answered, ['401', { description: phrases[401]! }]])
  }

  #content(type: LinkedType, media: readonly string[]): JsonObject {
    const content = { schema: this.definitions.schema(type) }
    return Object.fromEntries(media.map((name) => [name, content]))
  }
}
