import { timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ApiRequest } from '../request/request-context.js'
import type { RequestUser } from '../request/user.js'
import { type Authenticator, BadCredentials } from './authenticator.js'
import { parseCsv } from './csv.js'
import { SecretDigests } from './secret-digest.js'

interface Entry {
  readonly digest: Buffer
  readonly user: RequestUser
}

/** Throws, in a sentence, where the file cannot be understood. */
export function loadBasicAuthFile(path: string): Authenticator {
  const content = readFileSync(path, 'utf8')
  try {
    return basicAuthFileAuthenticator(content)
  } catch (error) {
    throw new Error(`the password file ${path} cannot be used: ${(error as Error).message}`)
  }
}

/**
 * Static passwords: a line each of password, user, uid and, optionally, groups. Throws where a line is not like that, without
 * telling what it holds. Whether a user exists takes as long to find out as whether a password is right.
 */
export function basicAuthFileAuthenticator(content: string): Authenticator {
  const digests = new SecretDigests()
  const entries = new Map<string, Entry>()
  for (const { fields, line } of parseCsv(content)) {
    const { password, user } = readEntry(fields, line)
    if (entries.has(user.name)) throw new Error(`line ${line} names a user for the second time`)
    entries.set(user.name, { digest: digests.of(password), user })
  }
  const nobody = digests.of('')
  return {
    name: 'basic auth file',
    authenticate(request) {
      const shown = credentialsOf(request)
      if (!shown) return undefined
      const entry = entries.get(shown.name)
      const isRight = timingSafeEqual(entry?.digest ?? nobody, digests.of(shown.password))
      if (!entry || !isRight) throw new BadCredentials('the user and password are not known')
      return entry.user
    },
  }
}

function readEntry(fields: readonly string[], line: number): { readonly password: string; readonly user: RequestUser } {
  const [password = '', name = '', uid = '', groups = ''] = fields
  if (fields.length < 3) throw new Error(`line ${line} must have at least three columns: password, user name and uid`)
  if (password === '') throw new Error(`line ${line} has no password`)
  const groupNames = groups.split(',').map((group) => group.trim())
  return { password, user: { name, uid, groups: groupNames.filter((group) => group !== ''), extra: {} } }
}

interface Credentials {
  readonly name: string
  readonly password: string
}

/** Headers of another scheme count as none; a password may hold colons, a name may not. */
function credentialsOf({ headers: { authorization } }: ApiRequest): Credentials | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})\s*$/i.exec(authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) }
}
