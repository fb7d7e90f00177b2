import { type CipherGCMTypes, createCipheriv, createDecipheriv } from 'node:crypto'
import { xsalsa20poly1305 } from '@noble/ciphers/salsa'
import type { Random } from '../../base/random.js'

/** One method of encryption, as an encryption configuration lists it. `key` is the key in the store, not the secret. */
export interface EncryptionProvider {
  encrypt(value: Uint8Array, key: string): Uint8Array
  /** Returns undefined if another provider wrote the value. Throws if this one did, but cannot decrypt it. */
  decrypt(stored: Uint8Array, key: string): DecryptedValue | undefined
}

export interface DecryptedValue {
  readonly value: Uint8Array
  /** The provider would encrypt with the same key today. */
  readonly isCurrent: boolean
}

export interface NamedKey {
  readonly name: string
  readonly secret: Uint8Array
}

const encryptedPrefix = Buffer.from('k8s:enc:')

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).subarray(0, prefix.length).equals(prefix)
}

/** Stores values without encryption. Never returns an encrypted value as if it were plain. */
export const identityProvider: EncryptionProvider = {
  encrypt: (value) => value,
  decrypt: (stored) => (startsWith(stored, encryptedPrefix) ? undefined : { value: stored, isCurrent: true }),
}

/** A cipher with one secret. `aesgcm` authenticates `storeKey` too, so that a value cannot be moved to another key. */
interface Cipher {
  encrypt(value: Uint8Array, storeKey: string): Uint8Array
  /** Throws if the secret is wrong or the data was changed. */
  decrypt(data: Uint8Array, storeKey: string): Uint8Array
}

/** Of XSalsa20, in bytes. */
const secretboxNonce = 24

type CipherName = 'aesgcm' | 'aescbc' | 'secretbox'

const ciphers: Readonly<Record<CipherName, (secret: Uint8Array, random: Random) => Cipher>> = {
  aesgcm: (secret, random) => {
    const algorithm = `aes-${secret.length * 8}-gcm` as CipherGCMTypes
    return {
      encrypt(value, storeKey) {
        const nonce = random.bytes(12)
        const cipher = createCipheriv(algorithm, secret, nonce).setAAD(Buffer.from(storeKey))
        return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()])
      },
      decrypt(data, storeKey) {
        const cipher = createDecipheriv(algorithm, secret, data.subarray(0, 12), { authTagLength: 16 })
        cipher.setAAD(Buffer.from(storeKey)).setAuthTag(data.subarray(-16))
        return Buffer.concat([cipher.update(data.subarray(12, -16)), cipher.final()])
      },
    }
  },
  aescbc: (secret, random) => {
    const algorithm = `aes-${secret.length * 8}-cbc`
    return {
      encrypt(value) {
        const start = random.bytes(16)
        const cipher = createCipheriv(algorithm, secret, start)
        return Buffer.concat([start, cipher.update(value), cipher.final()])
      },
      decrypt(data) {
        const cipher = createDecipheriv(algorithm, secret, data.subarray(0, 16))
        return Buffer.concat([cipher.update(data.subarray(16)), cipher.final()])
      },
    }
  },
  // NaCl's format: a nonce, the Poly1305 tag, then the ciphertext.
  secretbox: (secret, random) => ({
    encrypt(value) {
      const nonce = random.bytes(secretboxNonce)
      return Buffer.concat([nonce, xsalsa20poly1305(secret, nonce).encrypt(value)])
    },
    decrypt(data) {
      const nonce = data.subarray(0, secretboxNonce)
      return xsalsa20poly1305(secret, nonce).decrypt(data.subarray(secretboxNonce))
    },
  }),
}

/** The allowed lengths of a secret, in bytes. */
export const keyLengths: Readonly<Record<CipherName, readonly number[]>> = {
  aesgcm: [16, 24, 32],
  aescbc: [16, 24, 32],
  secretbox: [32],
}

export function isCipherName(name: string): name is CipherName {
  return Object.hasOwn(ciphers, name)
}

/** Encrypts with the first key. Decrypts with any of `keys`, whose name is stored in front of each value. */
export function cipherProvider(name: CipherName, keys: readonly NamedKey[], random: Random): EncryptionProvider {
  const known = keys.map((key) => ({
    prefix: Buffer.from(`k8s:enc:${name}:v1:${key.name}:`),
    cipher: ciphers[name](key.secret, random),
  }))
  const [first] = known
  return {
    encrypt: (value, storeKey) => Buffer.concat([first!.prefix, first!.cipher.encrypt(value, storeKey)]),
    decrypt(stored, storeKey) {
      const found = known.find(({ prefix }) => startsWith(stored, prefix))
      if (!found) return undefined
      const value = found.cipher.decrypt(stored.subarray(found.prefix.length), storeKey)
      return { value, isCurrent: found === first }
    },
  }
}
