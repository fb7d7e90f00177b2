import { noAcceptedMediaType } from '../../api/errors.js'
import { serverResponse } from '../../api/server-response.js'
import type { Metrics } from '../../base/metrics.js'
import type { JsonObject } from '../../schema/declaration.js'
import type { Scheme } from '../../schema/scheme.js'
import { parseAccept } from '../../wire/media-type.js'
import { protobufType } from '../../wire/protobuf.js'
import {
  configurationPath,
  type IssuerDiscovery,
  keysPath,
} from '../authentication/service-accounts/issuer-discovery.js'
import type { RequestContext } from '../request/request-context.js'
import { representationFor } from '../response/negotiation.js'
import { valueInProtobuf } from '../response/protobuf.js'
import { type ApiResponse, type BytesResponse, textResponse } from '../response/response.js'
import { aggregatedType, encodedDiscovery } from './aggregated-discovery.js'
import { apiGroupList, coreVersions, resourceList, singleGroup, versionsOf } from './discovery-lists.js'
import type { Health, HealthEndpoint } from './health.js'
import type { OpenapiEndpoint } from './openapi-endpoint.js'
import { type Build, versionInfo } from './version.js'

export interface ExtensionDependencies {
  readonly scheme: Scheme
  readonly build: Build
  readonly health: Health
  readonly openapi: OpenapiEndpoint
  readonly metrics: Metrics
  readonly issuer: IssuerDiscovery
  /** The address of this server: `192.0.2.1:6443`. */
  readonly address: string
}

/** Returns the handler of all paths that are not resources. */
export function extensions(
  dependencies: ExtensionDependencies,
): (context: RequestContext) => Promise<ApiResponse | undefined> {
  return async (context) => {
    const { method, path } = context.request
    const [, first = '', ...rest] = path.split('/')
    if (!isKnown(first)) return path === '/' ? rootPaths(dependencies) : undefined
    if (method !== 'GET' && method !== 'HEAD') throw serverResponse({ code: 405, method })
    return responseFor(dependencies, context, first, rest)
  }
}

const known = new Set([
  ...['api', 'apis', 'openapi', 'version', 'healthz', 'livez', 'readyz', 'metrics'],
  ...[configurationPath, keysPath].map((path) => path.split('/')[1]!),
])

function isKnown(first: string): boolean {
  return known.has(first)
}

function responseFor(
  dependencies: ExtensionDependencies,
  context: RequestContext,
  first: string,
  rest: readonly string[],
): ApiResponse | undefined | Promise<ApiResponse | undefined> {
  const { health, openapi, metrics, build, issuer } = dependencies
  const { query } = context.request
  switch (first) {
    case 'api':
      return coreDiscovery(dependencies, context, rest)
    case 'apis':
      return groupDiscovery(dependencies, context, rest)
    case 'openapi':
      return openapi.response(context)
    case 'version':
      return rest.length === 0 ? json(versionInfo(build)) : undefined
    case '.well-known':
    case 'openid':
      return issuer(context)
    case 'metrics':
      return rest.length === 0 ? metricsResponse(metrics) : undefined
    default:
      return health.response(first as HealthEndpoint, rest.join('/'), query)
  }
}

function json(value: JsonObject, contentType = 'application/json'): BytesResponse {
  return textResponse(200, `${JSON.stringify(value)}\n`, contentType)
}

async function metricsResponse(metrics: Metrics): Promise<BytesResponse> {
  return textResponse(200, await metrics.text(), 'text/plain; version=0.0.4; charset=utf-8')
}

function coreDiscovery(
  { scheme, address }: ExtensionDependencies,
  context: RequestContext,
  rest: readonly string[],
): ApiResponse {
  const [version = ''] = rest
  if (version === '')
    return wantsAggregated(context) ? aggregated(scheme, 'core') : plain(context, coreVersions(scheme, address))
  return plain(context, resourceList(scheme, '', version))
}

function groupDiscovery(
  { scheme }: ExtensionDependencies,
  context: RequestContext,
  rest: readonly string[],
): ApiResponse | undefined {
  const [group = '', version = ''] = rest
  if (group === '')
    return wantsAggregated(context) ? aggregated(scheme, 'groups') : plain(context, apiGroupList(scheme))
  if (versionsOf(scheme, group).length === 0) return undefined
  return plain(context, version === '' ? singleGroup(scheme, group) : resourceList(scheme, group, version))
}

function aggregated(scheme: Scheme, part: 'core' | 'groups'): BytesResponse {
  return { is: 'bytes', code: 200, contentType: aggregatedType, bytes: encodedDiscovery(scheme, part) }
}

/** Reports whether the first supported media type that the client accepts is aggregated discovery. */
function wantsAggregated({ request }: RequestContext): boolean {
  for (const { type, parameters } of parseAccept(request.headers.accept ?? '')) {
    if (type !== 'application/json') continue
    if (parameters.as === undefined) return false
    if (parameters.as === 'APIGroupDiscoveryList' && parameters.g === 'apidiscovery.k8s.io' && parameters.v === 'v2')
      return true
  }
  return false
}

/** Discovery has no table form. */
function plain({ request }: RequestContext, value: JsonObject | undefined): BytesResponse {
  if (!value) throw serverResponse({ code: 404, method: request.method })
  const { as, media } = representationFor(request)
  if (as !== 'object') throw noAcceptedMediaType(['application/json', 'application/yaml', protobufType])
  if (media !== 'protobuf') return json(value)
  return { is: 'bytes', code: 200, contentType: protobufType, bytes: valueInProtobuf(value) }
}

/** Returns the list of paths that `/` shows. */
function rootPaths({ scheme }: ExtensionDependencies): BytesResponse {
  const groups = scheme.groups.filter(({ name }) => name !== '' && versionsOf(scheme, name).length > 0)
  const paths = groups.flatMap(({ name }) => [
    `/apis/${name}`,
    ...versionsOf(scheme, name).map((version) => `/apis/${name}/${version}`),
  ])
  const others = [
    configurationPath,
    keysPath,
    '/api',
    '/api/v1',
    '/apis',
    '/healthz',
    '/livez',
    '/metrics',
    '/openapi/v2',
    '/openapi/v3',
    '/readyz',
    '/version',
  ]
  return json({ paths: [...others, ...paths].sort() })
}
