import { badRequest } from '../../api/errors.js'
import { quote } from '../../schema/quote.js'
import { headerValues } from '../request/header-values.js'
import type { ApiRequest } from '../request/request-context.js'
import type { RequestUser } from '../request/user.js'

const prefix = 'impersonate-'
const extraPrefix = 'impersonate-extra-'

/**
 * Returns the user that the impersonation headers name; undefined if there are none. Removes these headers, so that no later stage reads them.
 */
export function requestedUser(request: ApiRequest): RequestUser | undefined {
  if (!hasImpersonationHeaders(request)) return undefined
  const values = valuesOf(request)
  const [name = ''] = values.get('impersonate-user') ?? []
  const [uid = ''] = values.get('impersonate-uid') ?? []
  const groups = values.get('impersonate-group') ?? []
  const extra = extraOf(values)
  const user: RequestUser = { name, uid, groups, extra }
  const isMore = uid !== '' || groups.length > 0 || Object.keys(extra).length > 0
  if (name === '' && isMore) throw badRequest(`requested ${userText(user)} without impersonating a user name`)
  if (name === '') return undefined
  for (const header in request.headers) if (header.startsWith(prefix)) delete request.headers[header]
  return user
}

/** A fast check: most requests have no such header. */
function hasImpersonationHeaders({ headers }: ApiRequest): boolean {
  for (const name in headers) if (name.startsWith(prefix)) return true
  return false
}

/** Returns all values of the impersonation headers. */
function valuesOf(request: ApiRequest): ReadonlyMap<string, readonly string[]> {
  const names = Object.keys(request.headers).filter((name) => name.startsWith(prefix))
  return new Map(names.map((name) => [name, headerValues(request, name).map(asText)]))
}

/** Decodes UTF-8: Node decodes headers as Latin-1. */
function asText(value: string): string {
  return /^[\x20-\x7e]*$/.test(value) ? value : Buffer.from(value, 'latin1').toString('utf8')
}

function extraOf(values: ReadonlyMap<string, readonly string[]>): Record<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>()
  for (const [name, given] of values) {
    if (!name.startsWith(extraPrefix)) continue
    const key = unescaped(name.slice(extraPrefix.length))
    extra.set(key, [...(extra.get(key) ?? []), ...given])
  }
  return Object.fromEntries(extra)
}

/** Decodes percent-encoded keys; returns other keys as they are. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch (error) {
    if (error instanceof URIError) return key
    throw error
  }
}

/** Returns the user in upstream's notation. */
function userText({ name, uid, groups, extra }: RequestUser): string {
  const list = (values: readonly string[]) => `{${values.map(quote).join(', ')}}`
  const groupText = groups.length === 0 ? '[]string(nil)' : `[]string${list(groups)}`
  const keys = Object.keys(extra).sort()
  const members = keys.map((key) => `${quote(key)}:[]string${list(extra[key]!)}`).join(', ')
  const extraText = keys.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${members}}`
  return `&user.DefaultInfo{Name:${quote(name)}, UID:${quote(uid)}, Groups:${groupText}, Extra:${extraText}}`
}
