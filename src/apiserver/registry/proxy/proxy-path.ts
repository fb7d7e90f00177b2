import { endpoint } from '../../../wire/network-words.js'
import type { VerbScope } from '../../verbs/verb-scope.js'
import type { BackendAddress } from './backend.js'

/** A path that leads through this server, in its two halves, as URLs write them. */
export interface ProxyPath {
  /** Up to `/proxy`. */
  readonly prefix: string
  /** What follows it: empty, or it begins with a slash. */
  readonly rest: string
  /** With its question mark; empty if there is none. */
  readonly query: string
}

const ofNamespaced = /^\/+api\/+[^/]+\/+namespaces(?:\/+[^/]+){3}\/+proxy/
const ofOthers = /^\/+api\/+[^/]+(?:\/+[^/]+){2}\/+proxy/

export function proxyPathOf({ context: { request, info } }: VerbScope): ProxyPath {
  const [prefix = ''] = (info.namespace === '' ? ofOthers : ofNamespaced).exec(request.path) ?? []
  const query = request.search ?? request.query.toString()
  return {
    // With two slashes before it, it would be the name of a host.
    prefix: escaped(prefix.replace(/^\/+/, '/')),
    rest: escaped(request.path.slice(prefix.length)),
    query: query === '' ? '' : `?${query.replace(notInUrls, escapedByte)}`,
  }
}

/** What is asked of who is behind it. */
export function backendPath({ rest, query }: ProxyPath): string {
  return `${rest || '/'}${query}`
}

/** The path was decoded when the request came in. */
function escaped(path: string): string {
  return encodeURI(path).replace(/[?#]/g, encodeURIComponent)
}

const notInUrls = /[^\x21-\x7e]/g

function escapedByte(character: string): string {
  return `%${Buffer.from(character, 'latin1').toString('hex').toUpperCase()}`
}

const authorityPart = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)/i

/** Who is behind the passage, and what the client calls this server. */
export interface LinkHosts {
  readonly place: BackendAddress
  readonly here: string | undefined
}

/** A link of somebody behind the passage as those must write it who come through it. What leads elsewhere, or is relative, stays as it is. */
export function rewriteLink(link: string, { prefix }: Pick<ProxyPath, 'prefix'>, { place, here }: LinkHosts): string {
  const [authority = '', host = ''] = authorityPart.exec(link) ?? []
  if (host !== '' && host !== here && !isHost(place, host)) return link
  const path = link.slice(authority.length)
  if (!path.startsWith('/')) return link
  const before = host === here ? authority : ''
  return before + (path.startsWith(prefix) ? path : prefix + path)
}

/** The port that a scheme has anyway need not be said. */
function isHost({ scheme, host, port }: BackendAddress, said: string): boolean {
  const whole = endpoint(host, port)
  const isUsual = port === (scheme === 'https' ? 443 : 80)
  return said === whole || (isUsual && said === whole.slice(0, whole.lastIndexOf(':')))
}
