import type { Subresource, Verb } from '../declaration.js'
import { capitalized } from './names.js'
import { inPath, type Parameter, queryParameters } from './parameters.js'
import { anything, type Method, type Operation, type Route, text } from './route.js'
import type { Subject } from './verbs.js'

interface Connection {
  readonly path: string
  readonly subject: Subject
  readonly subresource: Subresource
}

/** Subresources that hand the connection itself on: to a process, a port, another server. */
export function connectionRoutes({ path, subject, subresource }: Connection): Route[] {
  const parameters = [...subject.parameters, ...queryParameters(subresource)]
  const methods = subresource.verbs.flatMap((verb) => methodOf[verb] ?? [])
  if (!subresource.anyPath) return [{ path, operations: methods.map((method) => connect(subject, method, parameters)) }]
  // What stands behind the proxy is asked in any way that HTTP has, also in those that no verb names.
  const all: Method[] = [...methods, 'head', 'options']
  const beyond = { ...subject, noun: `${subject.noun}WithPath` }
  return [
    { path, operations: all.map((method) => connect(subject, method, parameters)) },
    {
      path: `${path}/{${furtherPath.name}}`,
      operations: all.map((method) => connect(beyond, method, [...parameters, furtherPath])),
    },
  ]
}

const furtherPath = inPath('path')

const methodOf: Partial<Record<Verb, Method>> = {
  create: 'post',
  delete: 'delete',
  get: 'get',
  patch: 'patch',
  update: 'put',
}

function connect({ names, noun, about }: Subject, method: Method, parameters: readonly Parameter[]): Operation {
  return {
    method,
    id: `connect${names.infix}${capitalized(method)}${noun}`,
    tag: names.tag,
    action: 'connect',
    about,
    parameters,
    consumes: anything,
    produces: anything,
    answers: { 200: text },
  }
}
