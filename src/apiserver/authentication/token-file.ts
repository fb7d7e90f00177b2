import { hash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RequestUser } from '../request/user.js'
import type { TokenAuthenticator } from './authenticator.js'
import { parseCsv } from './csv.js'

/** Throws if the file is invalid. */
export function loadTokenFile(path: string): TokenAuthenticator {
  const content = readFileSync(path, 'utf8')
  try {
    return tokenFileAuthenticator(content)
  } catch (error) {
    throw new Error(`invalid token file ${path}: ${(error as Error).message}`)
  }
}

/**
 * Authenticates static tokens. Each line has a token, a user name, a uid and optionally groups. Throws if a line is invalid; the message does not
 * quote it. If lines repeat a token, the last one counts. Tokens are stored and looked up as keyed digests, so that timing reveals nothing about them.
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
