import { badRequest } from '../../api/errors.js'
import { quote } from '../../schema/quote.js'
import { headerValues } from '../request/header-values.js'
import type { ApiRequest } from '../request/request-context.js'
import type { RequestUser } from '../request/user.js'

const prefix = 'impersonate-'
const extraPrefix = 'impersonate-extra-'

/**
 * Whom a request wants to be, exactly as its headers say it; undefined where they say nothing about that. They are then taken off
 * the request: behind this, nobody treats it differently for having had them.
 */
export function wantedUser(request: ApiRequest): RequestUser | undefined {
  if (!speaksOfOthers(request)) return undefined
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

/** Most requests have no such header, and must not pay for those that do. */
function speaksOfOthers({ headers }: ApiRequest): boolean {
  for (const name in headers) if (name.startsWith(prefix)) return true
  return false
}

/** All values of each of these headers. */
function valuesOf(request: ApiRequest): ReadonlyMap<string, readonly string[]> {
  const names = Object.keys(request.headers).filter((name) => name.startsWith(prefix))
  return new Map(names.map((name) => [name, headerValues(request, name).map(asText)]))
}

/** Node takes each byte of a header for a character; names of users are UTF-8. */
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

/** Keys are escaped like parts of a path, since a header's name cannot hold everything; what is not is taken as it is. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch (error) {
    if (error instanceof URIError) return key
    throw error
  }
}

/** As upstream shows it: a structure of its own. */
function userText({ name, uid, groups, extra }: RequestUser): string {
  const list = (values: readonly string[]) => `{${values.map(quote).join(', ')}}`
  const groupText = groups.length === 0 ? '[]string(nil)' : `[]string${list(groups)}`
  const keys = Object.keys(extra).sort()
  const members = keys.map((key) => `${quote(key)}:[]string${list(extra[key]!)}`).join(', ')
  const extraText = keys.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${members}}`
  return `&user.DefaultInfo{Name:${quote(name)}, UID:${quote(uid)}, Groups:${groupText}, Extra:${extraText}}`
}
