import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { ApiRequest } from '../../request/request-context.js'
import { withoutToken } from '../../serving/websocket-protocols.js'

type Headers = NodeJS.Dict<string | string[]>

/** What two neighbours say to each other about their connection. */
const ofConnection: readonly string[] = [
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]

/** What is said to this server alone, or is said anew on the other side. */
const ofThisServer: readonly string[] = ['authorization', 'content-length', 'expect']

/** Who the client is, or acts as, is nobody's business but ours. */
const identityPrefixes: readonly string[] = [':', 'impersonate-', 'x-remote-']

/** Whether it asks to leave HTTP. */
export function isUpgrade({ headers }: ApiRequest): boolean {
  return headers.upgrade !== undefined && namedIn(headers.connection).includes('upgrade')
}

/** The headers of a request that is handed on. */
export function backendRequestHeaders({ headers, peer }: ApiRequest): Headers {
  const cached = without(withoutToken(headers), ofThisServer)
  for (const name of Object.keys(cached))
    if (identityPrefixes.some((prefix) => name.startsWith(prefix))) delete cached[name]
  const way = [headers['x-forwarded-for'] ?? [], peer.address].flat().filter((address) => address !== '')
  return way.length === 0 ? cached : { ...cached, 'x-forwarded-for': way.join(', ') }
}

/** The same for one that asks to leave HTTP: all that the two ends have to agree upon. */
export function backendUpgradeHeaders(request: ApiRequest): Headers {
  const { connection, upgrade } = request.headers
  return { ...backendRequestHeaders(request), connection, upgrade }
}

/** What this server says itself, and whom it lets in from other pages. */
const saidHere: readonly string[] = [
  'content-type',
  'date',
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
]

/** The headers of an answer that is handed back, names and values by turns, but for those that are left out. */
export function clientResponseHeaders({ headers }: IncomingMessage, leftOut: readonly string[]): readonly string[] {
  return Object.entries(without(headers, [...saidHere, ...leftOut])).flatMap(([name, values]) =>
    [values ?? []].flat().flatMap((value) => [name, asText(value)]),
  )
}

/** Node reads each byte as a character: as text it is sent as the bytes that it was. */
export function asText(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : value
}

function without(headers: Headers, more: readonly string[]): Headers {
  const dropped = new Set([...ofConnection, ...more, ...namedIn(headers.connection)])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)))
}

function namedIn(connection: string | string[] | undefined): readonly string[] {
  return String(connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
}
