import type { Subresource, Verb } from '../declaration.js'
import { capitalized } from './names.js'
import { type Parameter, pathParameter, queryParameters } from './parameters.js'
import { anyMediaType, plainText, type Route, type RouteMethod, type RouteOperation } from './route.js'
import type { OperationSubject } from './verbs.js'

interface Connection {
  readonly path: string
  readonly subject: OperationSubject
  readonly subresource: Subresource
}

/** Routes of subresources that forward the connection: to a process, a port or another server. */
export function connectionRoutes({ path, subject, subresource }: Connection): Route[] {
  const parameters = [...subject.parameters, ...queryParameters(subresource)]
  const methods = subresource.verbs.flatMap((verb) => methodOf[verb] ?? [])
  if (!subresource.anyPath) return [{ path, operations: methods.map((method) => connect(subject, method, parameters)) }]
  // The target of a proxy accepts every HTTP method, including those without a verb.
  const all: RouteMethod[] = [...methods, 'head', 'options']
  const beyond = { ...subject, noun: `${subject.noun}WithPath` }
  return [
    { path, operations: all.map((method) => connect(subject, method, parameters)) },
    {
      path: `${path}/{${furtherPath.name}}`,
      operations: all.map((method) => connect(beyond, method, [...parameters, furtherPath])),
    },
  ]
}

const furtherPath = pathParameter('path')

const methodOf: Partial<Record<Verb, RouteMethod>> = {
  create: 'post',
  delete: 'delete',
  get: 'get',
  patch: 'patch',
  update: 'put',
}

function connect(
  { names, noun, about }: OperationSubject,
  method: RouteMethod,
  parameters: readonly Parameter[],
): RouteOperation {
  return {
    method,
    id: `connect${names.infix}${capitalized(method)}${noun}`,
    tag: names.tag,
    action: 'connect',
    about,
    parameters,
    consumes: anyMediaType,
    produces: anyMediaType,
    responses: { 200: plainText },
  }
}
