import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { JsonObject } from '../../../schema/declaration.js'
import { algorithmFor } from '../../../wire/jwt/algorithms.js'
import type { VerifyingKey } from './verify.js'

/** Returns public keys as a JSON web key set. */
export function keySet(keys: readonly VerifyingKey[]): JsonObject {
  return { keys: keys.map(published) }
}

function published({ id, key }: VerifyingKey): JsonObject {
  const { kty, ...rest } = key.export({ format: 'jwk' }) as JsonObject
  return { use: 'sig', kty: kty!, kid: id, alg: algorithmFor(key)?.name ?? '', ...rest }
}

/** Reads a JSON web key set. Skips keys of unknown types and for other uses. */
export function readKeySet(value: unknown): VerifyingKey[] {
  const keys = (value as { readonly keys?: unknown } | null)?.keys
  if (!Array.isArray(keys)) throw new Error('not a JSON web key set')
  return keys.flatMap((key) => readKey(key as JsonWebKey))
}

function readKey(jwk: JsonWebKey): VerifyingKey[] {
  const { kty, use, kid, alg, d } = jwk as JsonWebKey & Record<string, unknown>
  const isForSigning = (kty === 'RSA' || kty === 'EC') && (use === undefined || use === 'sig') && d === undefined
  if (!isForSigning) return []
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const id = typeof kid === 'string' ? kid : ''
    return [{ id, key, ...(typeof alg === 'string' && { algorithm: alg }) }]
  } catch {
    return [] // an unknown curve or form; other keys of the set may still be usable
  }
}
