import { type CipherGCMTypes, createCipheriv, createDecipheriv } from 'node:crypto'
import type { Random } from '../../base/random.js'
import * as secretbox from './secretbox.js'

/** One way of storing values. */
export interface Provider {
  encrypt(value: Uint8Array, key: string): Uint8Array
  /** Undefined where the value was not stored this way; throws where it was, and cannot be read. */
  decrypt(stored: Uint8Array, key: string): Decrypted | undefined
}

export interface Decrypted {
  readonly value: Uint8Array
  /** It would be written in the same way today. */
  readonly isCurrent: boolean
}

export interface NamedKey {
  readonly name: string
  readonly secret: Uint8Array
}

const encryptedPrefix = Buffer.from('k8s:enc:')

function begins(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).subarray(0, prefix.length).equals(prefix)
}

/** As they are. What was encrypted is never taken for a plain value. */
export const identity: Provider = {
  encrypt: (value) => value,
  decrypt: (stored) => (begins(stored, encryptedPrefix) ? undefined : { value: stored, isCurrent: true }),
}

/** A cipher with one key. `place` is where a value is kept, which some tie it to, so that none can be put elsewhere. */
interface Cipher {
  encrypt(value: Uint8Array, place: string): Uint8Array
  /** Throws, or gives undefined, where the key is not the right one. */
  decrypt(data: Uint8Array, place: string): Uint8Array | undefined
}

type CipherName = 'aesgcm' | 'aescbc' | 'secretbox'

const ciphers: Readonly<Record<CipherName, (secret: Uint8Array, random: Random) => Cipher>> = {
  aesgcm: (secret, random) => {
    const algorithm = `aes-${secret.length * 8}-gcm` as CipherGCMTypes
    return {
      encrypt(value, place) {
        const nonce = random.bytes(12)
        const cipher = createCipheriv(algorithm, secret, nonce).setAAD(Buffer.from(place))
        return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()])
      },
      decrypt(data, place) {
        const cipher = createDecipheriv(algorithm, secret, data.subarray(0, 12), { authTagLength: 16 })
        cipher.setAAD(Buffer.from(place)).setAuthTag(data.subarray(-16))
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
  secretbox: (secret, random) => ({
    encrypt(value) {
      const nonce = random.bytes(secretbox.nonceBytes)
      return Buffer.concat([nonce, secretbox.seal(value, nonce, secret)])
    },
    decrypt: (data) =>
      secretbox.open(data.subarray(secretbox.nonceBytes), data.subarray(0, secretbox.nonceBytes), secret),
  }),
}

/** How long keys may be, in bytes. */
export const keyLengths: Readonly<Record<CipherName, readonly number[]>> = {
  aesgcm: [16, 24, 32],
  aescbc: [16, 24, 32],
  secretbox: [secretbox.keyBytes],
}

export function isCipherName(name: string): name is CipherName {
  return Object.hasOwn(ciphers, name)
}

/** Encrypts by the first key, and knows all of them by the names that stand before what they encrypted. */
export function cipherProvider(name: CipherName, keys: readonly NamedKey[], random: Random): Provider {
  const known = keys.map((key) => ({
    prefix: Buffer.from(`k8s:enc:${name}:v1:${key.name}:`),
    cipher: ciphers[name](key.secret, random),
  }))
  const [first] = known
  return {
    encrypt: (value, place) => Buffer.concat([first!.prefix, first!.cipher.encrypt(value, place)]),
    decrypt(stored, place) {
      const found = known.find(({ prefix }) => begins(stored, prefix))
      if (!found) return undefined
      const value = found.cipher.decrypt(stored.subarray(found.prefix.length), place)
      if (!value) throw new Error('the key is not the one that it was encrypted with, or it was changed')
      return { value, isCurrent: found === first }
    },
  }
}
