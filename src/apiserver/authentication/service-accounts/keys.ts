import { createPrivateKey, createPublicKey } from 'node:crypto'
import { algorithmFor } from '../../../wire/jwt/algorithms.js'
import { keyId, signingKey, signToken } from '../../../wire/jwt/sign.js'
import type { VerifyingKey } from '../jwt/verify.js'
import type { TokenClaims } from './claims.js'

const block = /-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----/g

/** Returns all keys in the files, each once: public keys, and the public keys of private keys and certificates. */
export function verifyingKeys(files: readonly PemFile[]): VerifyingKey[] {
  const keys = new Map<string, VerifyingKey>()
  for (const file of files) for (const key of keysIn(file)) keys.set(key.id, key)
  return [...keys.values()]
}

export interface PemFile {
  /** For messages. */
  readonly path: string
  readonly content: string
}

function keysIn({ path, content }: PemFile): VerifyingKey[] {
  const found = [...content.matchAll(block)].filter(([, label = '']) => /KEY|CERTIFICATE/.test(label))
  if (found.length === 0) throw new Error(`there is no key in ${path}; name a file in PEM form`)
  return found.map(([pem]) => readKey(pem, path))
}

function readKey(pem: string, path: string): VerifyingKey {
  try {
    const key = createPublicKey(pem)
    if (!algorithmFor(key)) throw new Error('not of a type that signs tokens')
    return { id: keyId(key), key }
  } catch {
    // Without the parser's message: it does not help, and may quote the key.
    throw new Error(
      `a key in ${path} cannot be used; it must be RSA of 2048 bits or more, or on the curve P-256, P-384 or P-521`,
    )
  }
}

/** Returns claims as a signed JSON web token. */
export type SignClaims = (claims: TokenClaims) => string

/** Signs with a private key in PEM form. The token names the id of its public key. */
export function tokenSigner(pem: string): SignClaims {
  const key = signingKey(createPrivateKey(pem))
  return (claims) => signToken(claims, key)
}
