import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { ApiRequest } from '../../request/request-context.js'
import { withoutToken } from '../../serving/websocket-protocols.js'

type Headers = NodeJS.Dict<string | string[]>

/** Hop-by-hop headers, which concern one connection only. */
const hopByHop: readonly string[] = [
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

/** Headers for this server only, or that are set again for the backend. */
const serverOnly: readonly string[] = ['authorization', 'content-length', 'expect']

/** Prefixes of headers with the client's identity, which a backend must not see. */
const identityPrefixes: readonly string[] = [':', 'impersonate-', 'x-remote-']

/** Whether the client requests an upgrade. */
export function isUpgrade({ headers }: ApiRequest): boolean {
  return headers.upgrade !== undefined && namedIn(headers.connection).includes('upgrade')
}

/** The headers of a forwarded request. */
export function backendRequestHeaders({ headers, peer }: ApiRequest): Headers {
  const forwarded = without(withoutToken(headers), serverOnly)
  for (const name of Object.keys(forwarded))
    if (identityPrefixes.some((prefix) => name.startsWith(prefix))) delete forwarded[name]
  const addresses = [headers['x-forwarded-for'] ?? [], peer.address].flat().filter((address) => address !== '')
  return addresses.length === 0 ? forwarded : { ...forwarded, 'x-forwarded-for': addresses.join(', ') }
}

/** The headers of a forwarded upgrade request. */
export function backendUpgradeHeaders(request: ApiRequest): Headers {
  const { connection, upgrade } = request.headers
  return { ...backendRequestHeaders(request), connection, upgrade }
}

/** Response headers that this server sets itself. */
const setByServer: readonly string[] = [
  'content-type',
  'date',
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
]

/** The headers of a forwarded response, names and values alternating, without those in `leftOut`. */
export function clientResponseHeaders({ headers }: IncomingMessage, leftOut: readonly string[]): readonly string[] {
  return Object.entries(without(headers, [...setByServer, ...leftOut])).flatMap(([name, values]) =>
    [values ?? []].flat().flatMap((value) => [name, asText(value)]),
  )
}

/** Decodes a header value that Node has read as Latin-1, so that the same bytes are sent again. */
export function asText(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : value
}

function without(headers: Headers, more: readonly string[]): Headers {
  const dropped = new Set([...hopByHop, ...more, ...namedIn(headers.connection)])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)))
}

function namedIn(connection: string | string[] | undefined): readonly string[] {
  return String(connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
}
