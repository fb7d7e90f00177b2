import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Digests of secrets under a key of this process. Secrets are looked up and compared as these alone, so that how long that takes
 * says nothing about them.
 */
export class SecretDigests {
  readonly #key = randomBytes(32)

  of(secret: string): Buffer {
    return createHmac('sha256', this.#key).update(secret).digest()
  }

  /** As the key of a map. */
  keyOf(secret: string): string {
    return this.of(secret).toString('latin1')
  }
}

const digests = new SecretDigests()

/** In a time that tells nothing about either, not even how long it is. */
export function isSameSecret(left: string, right: string): boolean {
  return timingSafeEqual(digests.of(left), digests.of(right))
}
