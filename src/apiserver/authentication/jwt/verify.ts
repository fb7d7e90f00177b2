import { type KeyObject, verify } from 'node:crypto'
import { algorithmNamed, fits } from '../../../wire/jwt/algorithms.js'
import { type SignedToken, TokenError } from './signed-token.js'

/** A public key that verifies tokens. */
export interface VerifyingKey {
  readonly id: string
  readonly key: KeyObject
  /** The only algorithm that the key may be used with, if its owner says so. */
  readonly algorithm?: string
}

/**
 * Throws unless one of the keys signed the token. Tries only the key that the token names; if there is no such key, tries all, because not every
 * issuer names keys, and names change.
 */
export function verifySignature(token: SignedToken, keys: readonly VerifyingKey[], accepted?: readonly string[]): void {
  const { algorithm: name, keyId } = token
  const algorithm = algorithmNamed(name)
  if (!algorithm || (accepted && !accepted.includes(name)))
    throw new TokenError('the token is signed by an algorithm that is not accepted')
  const named = keyId === '' ? [] : keys.filter(({ id }) => id === keyId)
  const data = Buffer.from(token.signed)
  const isGood = (named.length > 0 ? named : keys).some(
    ({ key, algorithm: only }) =>
      (only === undefined || only === name) &&
      fits(algorithm, key) &&
      verify(algorithm.hash, data, { key, ...algorithm.layout }, token.signature),
  )
  if (!isGood) throw new TokenError('the token is signed by an unknown key')
}
