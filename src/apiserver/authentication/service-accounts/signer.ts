import { createPrivateKey } from 'node:crypto'
import { signingKey, signToken } from '../../../wire/jwt/sign.js'
import type { TokenClaims } from './claims.js'

/** Puts a signature under claims: a JSON web token. */
export type SignClaims = (claims: TokenClaims) => string

/** Signs by a private key in PEM form, which the token names by its public half. */
export function tokenSigner(pem: string): SignClaims {
  const key = signingKey(createPrivateKey(pem))
  return (claims) => signToken(claims, key)
}
