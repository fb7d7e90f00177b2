import { timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ApiRequest } from '../request/request-context.js'
import type { RequestUser } from '../request/user.js'
import { type Authenticator, BadCredentials } from './authenticator.js'
import { parseCsv } from './csv.js'
import { SecretDigests } from './secret-digest.js'

interface PasswordEntry {
  readonly digest: Buffer
  readonly user: RequestUser
}

/** Throws if the file is invalid. */
export function loadBasicAuthFile(path: string): Authenticator {
  const content = readFileSync(path, 'utf8')
  try {
    return basicAuthFileAuthenticator(content)
  } catch (error) {
    throw new Error(`invalid password file ${path}: ${(error as Error).message}`)
  }
}

/**
 * Authenticates users by static passwords. Each line has a password, a user name, a uid and optionally groups. Throws if a line is invalid; the
 * message does not quote it. Unknown users and wrong passwords take the same time.
 */
export function basicAuthFileAuthenticator(content: string): Authenticator {
  const digests = new SecretDigests()
  const entries = new Map<string, PasswordEntry>()
  for (const { fields, line } of parseCsv(content)) {
    const { password, user } = readEntry(fields, line)
    if (entries.has(user.name)) throw new Error(`line ${line} repeats a user`)
    entries.set(user.name, { digest: digests.of(password), user })
  }
  const unknownUser = digests.of('')
  return {
    name: 'basic auth file',
    authenticate(request) {
      const given = credentialsOf(request)
      if (!given) return undefined
      const entry = entries.get(given.name)
      const isRight = timingSafeEqual(entry?.digest ?? unknownUser, digests.of(given.password))
      if (!entry || !isRight) throw new BadCredentials('unknown user or wrong password')
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

/** Ignores headers of other schemes. A password may contain colons, a name may not. */
function credentialsOf({ headers: { authorization } }: ApiRequest): Credentials | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})\s*$/i.exec(authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) }
}
