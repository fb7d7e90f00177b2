import { createHash } from 'node:crypto'
import type { JsonObject, JsonValue } from '../declaration.js'
import type { LinkedType } from '../model.js'
import type { Scheme } from '../scheme.js'
import { Definitions } from './definitions.js'
import { version2 } from './dialect.js'
import type { DocumentOptions } from './document-options.js'
import { documentRoutes } from './documents.js'
import { compare } from './names.js'
import { type Parameter, sortedParameters } from './parameters.js'
import { commonParameters, phrases, type Route, type RouteBody, type RouteOperation } from './route.js'

/** The whole API in one OpenAPI 2.0 document. */
export function openapiV2(scheme: Scheme, publication: DocumentOptions): JsonObject {
  const writer = new Writer(new Definitions(scheme, version2, publication))
  const routes = [...documentRoutes(scheme, publication).values()].flatMap((make) => make())
  const paths = routes.sort((a, b) => compare(a.path, b.path)).map((route) => [route.path, writer.path(route)])
  return {
    swagger: '2.0',
    info: publication.info,
    paths: Object.fromEntries(paths),
    definitions: writer.definitions.all(),
    parameters: writer.shared.all(),
    securityDefinitions: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
    security: [{ BearerToken: [] }],
  }
}

class Writer {
  readonly definitions: Definitions
  readonly shared = new SharedParameters()
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
    const { id, tag, action, about, body, consumes, produces } = operation
    const own = sortedParameters(operation.parameters.filter((parameter) => !common.has(parameter)))
    const parameters = [...(body ? [this.#body(body)] : []), ...own.map((parameter) => this.#parameter(parameter))]
    return {
      ...(consumes.length > 0 && { consumes }),
      ...(produces.length > 0 && { produces }),
      schemes: ['https'],
      tags: [tag],
      operationId: id,
      ...(parameters.length > 0 && { parameters }),
      responses: this.#responses(operation),
      ...(action && { 'x-kubernetes-action': action }),
      ...(about && { 'x-kubernetes-group-version-kind': about }),
    }
  }

  #responses({ responses: answers }: RouteOperation): JsonObject {
    const answered = Object.entries(answers).map(([code, type]): [string, JsonValue] => [
      code,
      this.#answer(code, type),
    ])
    return Object.fromEntries([...answered, ['401', { description: phrases[401]! }]])
  }

  #answer(code: string, type: LinkedType): JsonObject {
    return { description: phrases[Number(code)]!, schema: this.definitions.schema(type) }
  }

  /** Options and patches have the same type for all kinds; objects have the type of their kind. */
  #body({ type, required }: RouteBody): JsonObject {
    const body = { in: 'body', name: 'body', ...(required && { required }), schema: this.definitions.schema(type) }
    return type.is === 'object' && type.object.kind?.resource ? body : this.shared.refer(body)
  }

  #parameter(parameter: Parameter): JsonObject {
    const known = this.#written.get(parameter)
    if (known) return known
    const written = this.#writeParameter(parameter)
    this.#written.set(parameter, written)
    return written
  }

  #writeParameter({ name, in: place, type }: Parameter): JsonObject {
    const required = place === 'path'
    const parameter = { in: place, name, ...(required && { required }), type, uniqueItems: true }
    return inlineParameters.has(name) ? parameter : this.shared.refer(parameter)
  }
}

/** Clients read these from each operation to learn what the server supports, and not all of them follow references. */
const inlineParameters: ReadonlySet<string> = new Set(['dryRun', 'fieldValidation'])

/** Parameters that the document defines once. Their keys are the parameter's name, a hyphen and a digest. */
class SharedParameters {
  readonly #byText = new Map<string, { key: string; parameter: JsonObject }>()

  refer(parameter: JsonObject & { readonly name: string }): JsonObject {
    const text = JSON.stringify(parameter)
    const known = this.#byText.get(text)
    const key = known?.key ?? `${parameter.name}-${digest(text)}`
    if (!known) this.#byText.set(text, { key, parameter })
    return { $ref: `#/parameters/${key}` }
  }

  all(): JsonObject {
    const parameters = [...this.#byText.values()].sort((a, b) => compare(a.key, b.key))
    return Object.fromEntries(parameters.map(({ key, parameter }) => [key, parameter]))
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8)
}
