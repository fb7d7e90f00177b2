import { createPublicKey } from 'node:crypto'
import { algorithmFor } from '../../../wire/jwt/algorithms.js'
import { keyId } from '../../../wire/jwt/sign.js'
import type { VerifyingKey } from '../jwt/verify.js'

const block = /-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----/g

/** All keys in the files, each once: public ones, and the public halves of private ones and of certificates. */
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
    // What the parser says is left out, because it is no use to a person, and nobody knows what it quotes.
    throw new Error(
      `a key in ${path} cannot be used; it must be RSA of 2048 bits or more, or on the curve P-256, P-384 or P-521`,
    )
  }
}
