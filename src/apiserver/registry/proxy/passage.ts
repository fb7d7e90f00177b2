import type { VerbScope } from '../../verbs/verb-scope.js'

/** A path that leads through this server, in its two halves, as URLs write them. */
export interface Passage {
  /** Up to `/proxy`. */
  readonly prefix: string
  /** What follows it: empty, or it begins with a slash. */
  readonly rest: string
  /** With its question mark; empty if there is none. */
  readonly query: string
}

const ofNamespaced = /^\/+api\/+[^/]+\/+namespaces(?:\/+[^/]+){3}\/+proxy/
const ofOthers = /^\/+api\/+[^/]+(?:\/+[^/]+){2}\/+proxy/

export function passageOf({ exchange: { request, info } }: VerbScope): Passage {
  const [prefix = ''] = (info.namespace === '' ? ofOthers : ofNamespaced).exec(request.path) ?? []
  const query = request.query.toString()
  return {
    prefix: escaped(prefix),
    rest: escaped(request.path.slice(prefix.length)),
    query: query === '' ? '' : `?${query}`,
  }
}

/** The path was decoded when the request came in. */
function escaped(path: string): string {
  return encodeURI(path).replace(/[?#]/g, encodeURIComponent)
}

const authorityPart = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)/i

/** Who is behind the passage, and what clients call this server. */
export interface Hosts {
  readonly backend: string
  readonly here: string | undefined
}

/** A link of somebody behind the passage as those must write it who come through it. What leads elsewhere, or is relative, stays as it is. */
export function throughPassage(link: string, { prefix }: Pick<Passage, 'prefix'>, { backend, here }: Hosts): string {
  const [authority = '', host = ''] = authorityPart.exec(link) ?? []
  if (host !== '' && host !== backend && host !== here) return link
  const path = link.slice(authority.length)
  if (!path.startsWith('/')) return link
  const before = host === here ? authority : ''
  return before + (path.startsWith(prefix) ? path : prefix + path)
}
