import type { LinkedType } from '../model.js'
import type { Scheme } from '../scheme.js'
import { builtinMedia, type DocumentOptions } from './document-options.js'
import { operationNames, versionPath } from './names.js'
import { pathParameter } from './parameters.js'
import { plainText, type Route, type RouteOperation } from './route.js'

/** Routes of the server itself: discovery, version, signing keys. Each is in a document of its own. */

const json = ['application/json']

type OperationDetails = Pick<RouteOperation, 'id' | 'tag'> & Partial<RouteOperation>

function get(path: string, details: OperationDetails): Route {
  return {
    path,
    operations: [{ method: 'get', parameters: [], consumes: [], produces: [], responses: {}, ...details }],
  }
}

interface Discovery {
  readonly path: string
  readonly id: string
  readonly tag: string
  readonly response: string
}

function discovery(scheme: Scheme, { path, id, tag, response }: Discovery): Route {
  const { objects } = builtinMedia // discovery is built in, even for groups of custom resources
  return get(path, { id, tag, consumes: objects, produces: objects, responses: { 200: declared(scheme, response) } })
}

function declared(scheme: Scheme, name: string): LinkedType {
  return { is: 'object', object: scheme.type(name) }
}

/** Discovery of the versions of the core group. */
export function coreVersionsRoute(scheme: Scheme): Route {
  return discovery(scheme, { path: '/api/', id: 'getCoreAPIVersions', tag: 'core', response: 'meta/v1.APIVersions' })
}

/** Discovery of all other groups. */
export function groupListRoute(scheme: Scheme): Route {
  return discovery(scheme, { path: '/apis/', id: 'getAPIVersions', tag: 'apis', response: 'meta/v1.APIGroupList' })
}

/** Discovery of the versions of a group. */
export function groupRoute(scheme: Scheme, group: string): Route {
  const { infix, tag } = operationNames(group)
  return discovery(scheme, { path: `/apis/${group}/`, id: `get${infix}APIGroup`, tag, response: 'meta/v1.APIGroup' })
}

/** Discovery of the resources of a version. */
export function resourceListRoute(scheme: Scheme, group: string, version: string): Route {
  const { infix, tag } = operationNames(group, version)
  const path = `${versionPath(group, version)}/`
  return discovery(scheme, { path, id: `get${infix}APIResources`, tag, response: 'meta/v1.APIResourceList' })
}

/** Routes outside the API groups, by the path of their document. */
export function otherRoutes(scheme: Scheme, { logs }: DocumentOptions): ReadonlyMap<string, readonly Route[]> {
  return new Map([
    ['.well-known/openid-configuration', [issuer]],
    ['openid/v1/jwks', [keys]],
    ['version', [version(scheme)]],
    ...(logs ? [['logs', logRoutes] as const] : []),
  ])
}

const issuer = get('/.well-known/openid-configuration/', {
  id: 'getServiceAccountIssuerOpenIDConfiguration',
  tag: 'WellKnown',
  produces: json,
  responses: { 200: plainText },
})

const keys = get('/openid/v1/jwks/', {
  id: 'getServiceAccountIssuerOpenIDKeyset',
  tag: 'openid',
  produces: ['application/jwk-set+json'],
  responses: { 200: plainText },
})

function version(scheme: Scheme): Route {
  return get('/version/', {
    id: 'getCodeVersion',
    tag: 'version',
    consumes: json,
    produces: json,
    responses: { 200: declared(scheme, 'version.Info') },
  })
}

const logRoutes = [
  get('/logs/', { id: 'logFileListHandler', tag: 'logs' }),
  get('/logs/{logpath}', { id: 'logFileHandler', tag: 'logs', parameters: [pathParameter('logpath')] }),
]
