import type { JsonObject } from '../../../schema/declaration.js'
import { TokenError } from './signed-token.js'

/** The registered claims of a token. Times in seconds since the epoch. */
export interface RegisteredClaims {
  readonly issuer: string
  readonly subject: string
  readonly audiences: readonly string[]
  readonly expires?: number
  readonly notBefore?: number
  readonly issuedAt?: number
  readonly id: string
}

/** Throws if a claim has the wrong type. */
export function registeredClaims(claims: JsonObject): RegisteredClaims {
  return {
    issuer: textClaim(claims, 'iss'),
    subject: textClaim(claims, 'sub'),
    audiences: audienceClaim(claims.aud),
    ...timeClaim(claims, 'exp', 'expires'),
    ...timeClaim(claims, 'nbf', 'notBefore'),
    ...timeClaim(claims, 'iat', 'issuedAt'),
    id: textClaim(claims, 'jti'),
  }
}

/** Returns `''` if the claim is missing. */
export function textClaim(claims: JsonObject, name: string): string {
  const value = claims[name] ?? ''
  if (typeof value !== 'string') throw malformed(name)
  return value
}

function audienceClaim(value: unknown): readonly string[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value) || value.some((part) => typeof part !== 'string')) throw malformed('aud')
  return value
}

function timeClaim<Key extends string>(claims: JsonObject, name: string, as: Key): { readonly [K in Key]?: number } {
  const value = claims[name]
  if (value === undefined || value === null) return {}
  if (typeof value !== 'number' || !Number.isFinite(value)) throw malformed(name)
  return { [as]: value } as { readonly [K in Key]: number }
}

function malformed(name: string): TokenError {
  return new TokenError(`the token's claim ${name} is malformed`)
}

/** Tolerates clocks that differ by a minute. */
const leeway = 60

export type TokenTimeError = 'has expired' | 'is not valid yet' | 'is issued in the future'

/** Returns what is wrong with the times of a token. `now` is in milliseconds since the epoch. */
export function tokenTimeError(
  { expires, notBefore, issuedAt }: RegisteredClaims,
  now: number,
): TokenTimeError | undefined {
  const seconds = now / 1000
  if (notBefore !== undefined && seconds + leeway < notBefore) return 'is not valid yet'
  if (expires !== undefined && seconds - leeway > expires) return 'has expired'
  if (issuedAt !== undefined && seconds + leeway < issuedAt) return 'is issued in the future'
  return undefined
}
