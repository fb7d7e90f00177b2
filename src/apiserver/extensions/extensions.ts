import { noAcceptedMediaType } from '../../api/errors.js'
import { serverResponse } from '../../api/server-response.js'
import type { Metrics } from '../../base/metrics.js'
import type { JsonObject } from '../../schema/declaration.js'
import type { Scheme } from '../../schema/scheme.js'
import { parseAccept } from '../../wire/media-type.js'
import { protobufType } from '../../wire/protobuf.js'
import { type Answer, type BytesAnswer, text } from '../answer.js'
import {
  configurationPath,
  type IssuerDiscovery,
  keysPath,
} from '../authentication/service-accounts/issuer-discovery.js'
import type { Exchange } from '../exchange.js'
import { representationFor } from '../negotiation.js'
import { valueInProtobuf } from '../protobuf-answers.js'
import { aggregatedDiscovery, aggregatedType } from './aggregated-discovery.js'
import { coreVersions, groupList, resourceList, singleGroup, versionsOf } from './discovery-lists.js'
import type { Health, HealthEndpoint } from './health.js'
import type { OpenapiEndpoint } from './openapi-endpoint.js'
import { type Build, versionInfo } from './version.js'

export interface ExtensionParts {
  readonly scheme: Scheme
  readonly build: Build
  readonly health: Health
  readonly openapi: OpenapiEndpoint
  readonly metrics: Metrics
  readonly issuer: IssuerDiscovery
  /** Where clients reach this server: `192.0.2.1:6443`. */
  readonly address: string
}

/** Everything under paths that are no resources. */
export function extensions(parts: ExtensionParts): (exchange: Exchange) => Promise<Answer | undefined> {
  return async (exchange) => {
    const { method, path } = exchange.request
    const [, first = '', ...rest] = path.split('/')
    if (!isKnown(first)) return path === '/' ? rootPaths(parts) : undefined
    if (method !== 'GET' && method !== 'HEAD') throw serverResponse({ code: 405, method })
    return answerFor(parts, exchange, first, rest)
  }
}

const known = new Set([
  ...['api', 'apis', 'openapi', 'version', 'healthz', 'livez', 'readyz', 'metrics'],
  ...[configurationPath, keysPath].map((path) => path.split('/')[1]!),
])

function isKnown(first: string): boolean {
  return known.has(first)
}

function answerFor(
  parts: ExtensionParts,
  exchange: Exchange,
  first: string,
  rest: readonly string[],
): Answer | undefined | Promise<Answer | undefined> {
  const { health, openapi, metrics, build, issuer } = parts
  const { query } = exchange.request
  switch (first) {
    case 'api':
      return coreDiscovery(parts, exchange, rest)
    case 'apis':
      return groupDiscovery(parts, exchange, rest)
    case 'openapi':
      return openapi.answer(exchange)
    case 'version':
      return rest.length === 0 ? json(versionInfo(build)) : undefined
    case '.well-known':
    case 'openid':
      return issuer(exchange)
    case 'metrics':
      return rest.length === 0 ? metricsAnswer(metrics) : undefined
    default:
      return health.answer(first as HealthEndpoint, rest.join('/'), query)
  }
}

function json(value: JsonObject, contentType = 'application/json'): BytesAnswer {
  return text(200, `${JSON.stringify(value)}\n`, contentType)
}

async function metricsAnswer(metrics: Metrics): Promise<BytesAnswer> {
  return text(200, await metrics.text(), 'text/plain; version=0.0.4; charset=utf-8')
}

function coreDiscovery({ scheme, address }: ExtensionParts, exchange: Exchange, rest: readonly string[]): Answer {
  const [version = ''] = rest
  if (version === '')
    return wantsAggregated(exchange)
      ? json(aggregatedDiscovery(scheme, 'core'), aggregatedType)
      : plain(exchange, coreVersions(scheme, address))
  return plain(exchange, resourceList(scheme, '', version))
}

function groupDiscovery({ scheme }: ExtensionParts, exchange: Exchange, rest: readonly string[]): Answer | undefined {
  const [group = '', version = ''] = rest
  if (group === '')
    return wantsAggregated(exchange)
      ? json(aggregatedDiscovery(scheme, 'groups'), aggregatedType)
      : plain(exchange, groupList(scheme))
  if (versionsOf(scheme, group).length === 0) return undefined
  return plain(exchange, version === '' ? singleGroup(scheme, group) : resourceList(scheme, group, version))
}

/** The first form in the client's list that exists decides. */
function wantsAggregated({ request }: Exchange): boolean {
  for (const { type, parameters } of parseAccept(request.headers.accept ?? '')) {
    if (type !== 'application/json') continue
    if (parameters.as === undefined) return false
    if (parameters.as === 'APIGroupDiscoveryList' && parameters.g === 'apidiscovery.k8s.io' && parameters.v === 'v2')
      return true
  }
  return false
}

/** Discovery is never a table. */
function plain({ request }: Exchange, value: JsonObject | undefined): BytesAnswer {
  if (!value) throw serverResponse({ code: 404, method: request.method })
  const { as, media } = representationFor(request)
  if (as !== 'object') throw noAcceptedMediaType(['application/json', 'application/yaml', protobufType])
  if (media !== 'protobuf') return json(value)
  return { is: 'bytes', code: 200, contentType: protobufType, bytes: valueInProtobuf(value) }
}

/** What there is at the root, as far as a curious person needs to know. */
function rootPaths({ scheme }: ExtensionParts): BytesAnswer {
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
