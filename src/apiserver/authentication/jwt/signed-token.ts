import type { JsonObject } from '../../../schema/declaration.js'
import { decodeBase64url } from '../../../wire/jwt/base64url.js'
import { BadCredentials } from '../authenticator.js'

/** A malformed or invalid token. The message contains no part of it. */
export class TokenError extends BadCredentials {}

/** A parsed token, not yet verified. */
export interface SignedToken {
  readonly algorithm: string
  /** The id of the key that signed the token; empty if it names none. */
  readonly keyId: string
  readonly claims: JsonObject
  /** The signed text. */
  readonly signed: string
  readonly signature: Uint8Array
}

/** Far more than any issuer needs, and small enough to be parsed for unauthenticated clients. */
const maxLength = 64 * 1024

/** Whether a text has the form of a signed token. Other tokens are left to other authenticators. */
export function looksSigned(text: string): boolean {
  const first = text.indexOf('.')
  const second = text.indexOf('.', first + 1)
  return first > 0 && second > first && text.indexOf('.', second + 1) < 0
}

export function parseToken(text: string): SignedToken {
  if (text.length > maxLength) throw new TokenError('the token is too long')
  const [head = '', body = '', tail = '', ...more] = text.split('.')
  if (head === '' || body === '' || tail === '' || more.length > 0)
    throw new TokenError('the token does not have three parts')
  const { alg, kid = '', crit, b64 } = decodeObject(head, 'header')
  if (typeof alg !== 'string' || typeof kid !== 'string') throw new TokenError("the token's header is malformed")
  // RFC 7515: a token with an unknown critical extension must be rejected.
  if (crit !== undefined || b64 !== undefined) throw new TokenError('the token needs an unknown extension')
  const signature = decodeBase64url(tail)
  if (!signature) throw new TokenError("the token's signature is malformed")
  const claims = decodeObject(body, 'body')
  return { algorithm: alg, keyId: kid, claims, signed: text.slice(0, text.length - tail.length - 1), signature }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeObject(part: string, name: string): JsonObject {
  const bytes = decodeBase64url(part)
  const value = bytes && parsed(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TokenError(`the token's ${name} is malformed`)
  return value as JsonObject
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    return undefined // the parser's message would quote the token
  }
}
