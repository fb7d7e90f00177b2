import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { type Algorithm, algorithmFor } from './algorithms.js'
import { encodeJson } from './base64url.js'

export interface SigningKey {
  readonly id: string
  readonly key: KeyObject
  readonly algorithm: Algorithm
}

/** Returns a private key with its default algorithm and its id. Throws if it cannot sign tokens. */
export function signingKey(key: KeyObject): SigningKey {
  const algorithm = algorithmFor(key)
  if (!algorithm)
    throw new Error(
      `tokens cannot be signed by a key of type ${key.asymmetricKeyType}; it must be RSA of 2048 bits or more, or on the curve P-256, P-384 or P-521`,
    )
  return { id: keyId(createPublicKey(key)), key, algorithm }
}

/** The id is derived from the public key. */
export function keyId(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
}

export function signToken(claims: object, { id, key, algorithm }: SigningKey): string {
  const signed = `${encodeJson({ alg: algorithm.name, kid: id })}.${encodeJson(claims)}`
  const signature = sign(algorithm.hash, Buffer.from(signed), { key, ...algorithm.layout })
  return `${signed}.${signature.toString('base64url')}`
}
