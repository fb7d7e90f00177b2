/** The target of a request line: the decoded path, and the query as it was sent. */
export interface RequestTarget {
  readonly path: string
  /** Without the question mark. */
  readonly search: string
}

/** A percent sign that does not start a byte. */
const badEscape = /%(?![0-9a-fA-F]{2})/
const needsDecoding = /[%\x80-\uffff]/
const absoluteForm = /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?]*/

/**
 * Returns undefined if the target is malformed. Decodes escaped slashes, and replaces bytes that are not UTF-8, so that no later stage sees two
 * spellings of one path.
 */
export function parseTarget(url: string): RequestTarget | undefined {
  const local = url.charCodeAt(0) === 0x2f ? url : localPart(url)
  if (local === undefined) return undefined
  const mark = local.indexOf('?')
  const path = decodePath(mark < 0 ? local : local.slice(0, mark))
  return path === undefined ? undefined : { path, search: mark < 0 ? '' : local.slice(mark + 1) }
}

/** Returns the path and query of a target in absolute form, as proxies send it. */
function localPart(url: string): string | undefined {
  if (url === '*') return url
  const authority = absoluteForm.exec(url)?.[0]
  if (authority === undefined) return undefined
  const rest = url.slice(authority.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

function decodePath(path: string): string | undefined {
  if (!needsDecoding.test(path)) return path
  if (badEscape.test(path)) return undefined
  const bytes = path.replace(/%([0-9a-fA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** Shared by all requests without a query. Must not be changed. */
const noQuery = new URLSearchParams()

/** Ignores malformed pairs. */
export function parseQuery(search: string): URLSearchParams {
  if (search === '') return noQuery
  if (!search.includes(';') && !badEscape.test(search)) return new URLSearchParams(search)
  const sound = search.split('&').filter((pair) => !pair.includes(';') && !badEscape.test(pair))
  return new URLSearchParams(sound.join('&'))
}
