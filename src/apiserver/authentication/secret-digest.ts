import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Keyed digests of secrets. Secrets are looked up and compared only as digests, so that timing reveals nothing about them.
 */
export class SecretDigests {
  readonly #key = randomBytes(32)

  of(secret: string): Buffer {
    return createHmac('sha256', this.#key).update(secret).digest()
  }

  /** Returns the digest as the key of a map. */
  keyOf(secret: string): string {
    return this.of(secret).toString('latin1')
  }
}

const digests = new SecretDigests()

/** Compares in constant time, independent of the lengths. */
export function isSameSecret(left: string, right: string): boolean {
  return timingSafeEqual(digests.of(left), digests.of(right))
}
