import type { JsonObject } from '../../../schema/declaration.js'
import { decodeBase64url } from '../../../wire/jwt/base64url.js'
import { BadCredentials } from '../authenticator.js'

/** A token that is none, or is not valid. The message holds nothing of it. */
export class TokenError extends BadCredentials {}

/** A token taken apart. Nothing of it has been proved. */
export interface SignedToken {
  readonly algorithm: string
  /** Which key signed it, as it says; empty where it does not. */
  readonly keyId: string
  readonly claims: JsonObject
  /** What the signature is for. */
  readonly signed: string
  readonly signature: Uint8Array
}

/** Far more than any issuer needs, and little enough to be looked at by anyone who asks. */
const longest = 64 * 1024

/** Whether a text looks like a token at all; of those that do not, somebody else may know more. */
export function looksSigned(text: string): boolean {
  const first = text.indexOf('.')
  const second = text.indexOf('.', first + 1)
  return first > 0 && second > first && text.indexOf('.', second + 1) < 0
}

export function parseToken(text: string): SignedToken {
  if (text.length > longest) throw new TokenError('the token is too long')
  const [head = '', body = '', tail = '', ...more] = text.split('.')
  if (head === '' || body === '' || tail === '' || more.length > 0)
    throw new TokenError('the token has not three parts')
  const { alg, kid = '', crit, b64 } = decodeObject(head, 'head')
  if (typeof alg !== 'string' || typeof kid !== 'string') throw new TokenError("the token's head is malformed")
  // Whoever does not know what is declared critical must not accept the token.
  if (crit !== undefined || b64 !== undefined) throw new TokenError('the token asks for an extension that is not known')
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
    return undefined // what the parser says would quote the token
  }
}
