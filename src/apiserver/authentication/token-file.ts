import { hash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RequestUser } from '../request/user.js'
import type { TokenAuthenticator } from './authenticator.js'
import { parseCsv } from './csv.js'

/** Throws, in a sentence, where the file cannot be understood. */
export function loadTokenFile(path: string): TokenAuthenticator {
  const content = readFileSync(path, 'utf8')
  try {
    return tokenFileAuthenticator(content)
  } catch (error) {
    throw new Error(`the token file ${path} cannot be used: ${(error as Error).message}`)
  }
}

/**
 * Static tokens: a line each of token, user, uid and, optionally, groups. Throws where a line is not like that, without telling
 * what it holds. Of several lines with one token the last one counts.
 *
 * Tokens are kept and looked up as digests under a key of this process, so that how long a look-up takes says nothing about them.
 */
export function tokenFileAuthenticator(content: string): TokenAuthenticator {
  const key = randomBytes(32).toString('latin1')
  const digestOf = (token: string) => hash('sha256', key + token, 'base64')
  const users = new Map<string, RequestUser>()
  for (const { fields, line } of parseCsv(content)) {
    const { token, user } = readEntry(fields, line)
    users.set(digestOf(token), user)
  }
  return { name: 'token file', authenticate: (token) => users.get(digestOf(token)) }
}

function readEntry(fields: readonly string[], line: number): { readonly token: string; readonly user: RequestUser } {
  const [token = '', name = '', uid = '', groups = ''] = fields
  if (fields.length < 3) throw new Error(`line ${line} must have at least three columns: token, user name and uid`)
  if (token === '') throw new Error(`line ${line} has no token`)
  const groupNames = groups.split(',').map((group) => group.trim())
  return { token, user: { name, uid, groups: groupNames.filter((group) => group !== ''), extra: {} } }
}
