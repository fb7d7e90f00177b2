import { endpoint } from '../../../wire/network-words.js'
import type { VerbScope } from '../../verbs/verb-scope.js'
import type { BackendAddress } from './backend.js'

/** The path of a proxy request, URL-encoded: the part for this server and the part for the backend. */
export interface ProxyPath {
  /** Up to `/proxy`. */
  readonly prefix: string
  /** The rest: empty, or it begins with a slash. */
  readonly rest: string
  /** With its question mark; empty if there is none. */
  readonly query: string
}

const namespacedPrefix = /^\/+api\/+[^/]+\/+namespaces(?:\/+[^/]+){3}\/+proxy/
const clusterScopedPrefix = /^\/+api\/+[^/]+(?:\/+[^/]+){2}\/+proxy/

export function proxyPathOf({ context: { request, info } }: VerbScope): ProxyPath {
  const [prefix = ''] = (info.namespace === '' ? clusterScopedPrefix : namespacedPrefix).exec(request.path) ?? []
  const query = request.search ?? request.query.toString()
  return {
    // Two slashes at the beginning would make it a host name.
    prefix: escaped(prefix.replace(/^\/+/, '/')),
    rest: escaped(request.path.slice(prefix.length)),
    query: query === '' ? '' : `?${query.replace(notInUrls, escapedByte)}`,
  }
}

/** The path and query of the request to the backend. */
export function backendPath({ rest, query }: ProxyPath): string {
  return `${rest || '/'}${query}`
}

/** Encodes the path again, which the server has decoded. */
function escaped(path: string): string {
  return encodeURI(path).replace(/[?#]/g, encodeURIComponent)
}

const notInUrls = /[^\x21-\x7e]/g

function escapedByte(character: string): string {
  return `%${Buffer.from(character, 'latin1').toString('hex').toUpperCase()}`
}

const authorityPart = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)/i

/** The backend, and the host name by which the client knows this server. */
export interface LinkHosts {
  readonly backend: BackendAddress
  readonly here: string | undefined
}

/** Rewrites a link of the backend to a path through the proxy. Relative links, and links to other hosts, stay unchanged. */
export function rewriteLink(link: string, { prefix }: Pick<ProxyPath, 'prefix'>, { backend, here }: LinkHosts): string {
  const [authority = '', host = ''] = authorityPart.exec(link) ?? []
  if (host !== '' && host !== here && !isHost(backend, host)) return link
  const path = link.slice(authority.length)
  if (!path.startsWith('/')) return link
  const before = host === here ? authority : ''
  return before + (path.startsWith(prefix) ? path : prefix + path)
}

/** Whether a host in a link is the backend. It may omit the default port. */
function isHost({ scheme, host, port }: BackendAddress, given: string): boolean {
  const whole = endpoint(host, port)
  const isUsual = port === (scheme === 'https' ? 443 : 80)
  return given === whole || (isUsual && given === whole.slice(0, whole.lastIndexOf(':')))
}
