/** What a request line asks for: a path, decoded, and the query as it came. */
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
 * Undefined where the target is malformed, which is a bad request whatever it was meant to ask for. Escaped slashes become
 * slashes, and bytes that are no UTF-8 the replacement character, so that nothing behind this sees two spellings of one path.
 */
export function parseTarget(url: string): RequestTarget | undefined {
  const local = url.charCodeAt(0) === 0x2f ? url : localPart(url)
  if (local === undefined) return undefined
  const mark = local.indexOf('?')
  const path = decodePath(mark < 0 ? local : local.slice(0, mark))
  return path === undefined ? undefined : { path, search: mark < 0 ? '' : local.slice(mark + 1) }
}

/** Of a target in absolute form, as proxies send it. */
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

/** Shared by all requests without a query; nobody changes it. */
const noQuery = new URLSearchParams()

/** Pairs that are malformed are left out, and the rest counts. */
export function parseQuery(search: string): URLSearchParams {
  if (search === '') return noQuery
  if (!search.includes(';') && !badEscape.test(search)) return new URLSearchParams(search)
  const sound = search.split('&').filter((pair) => !pair.includes(';') && !badEscape.test(pair))
  return new URLSearchParams(sound.join('&'))
}
