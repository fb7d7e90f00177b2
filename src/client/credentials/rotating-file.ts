import type { Environment } from '../../base/environment.js'
import type { Credential, CredentialSource } from './credential.js'

/** For how long what was read counts: less than it takes a kubelet to replace a token that is about to expire. */
const period = 50_000

type Surroundings = Pick<Environment, 'clock' | 'log'>

/** A credential in files that somebody else replaces. While they cannot be read, the last one that could goes on. */
export class RotatingFile implements CredentialSource {
  readonly #read: () => Promise<Credential>
  readonly #environment: Surroundings
  #credential: Credential | undefined
  #readAt = Number.NEGATIVE_INFINITY

  /** `read` gives the credential as it is now, or throws. `initial` is used as long as it never gave one. */
  constructor(read: () => Promise<Credential>, environment: Surroundings, initial?: Credential) {
    this.#read = read
    this.#environment = environment
    this.#credential = initial
  }

  async current(): Promise<Credential> {
    const now = this.#environment.clock.monotonic()
    if (this.#credential && now - this.#readAt < period) return this.#credential
    const read = await this.#readOrKeep()
    if (!isSame(read, this.#credential)) this.#credential = read
    this.#readAt = now
    return this.#credential!
  }

  /** It may have been replaced a moment ago. */
  async rejected(credential: Credential): Promise<void> {
    if (credential === this.#credential) this.#readAt = Number.NEGATIVE_INFINITY
  }

  async #readOrKeep(): Promise<Credential> {
    try {
      return await this.#read()
    } catch (error) {
      if (!this.#credential) throw error
      this.#environment.log.error('A credential cannot be read again; the old one goes on', { error })
      return this.#credential
    }
  }
}

function isSame(one: Credential, other: Credential | undefined): boolean {
  if (!other || one.authorization !== other.authorization) return false
  return one.certificate?.cert === other.certificate?.cert && one.certificate?.key === other.certificate?.key
}
