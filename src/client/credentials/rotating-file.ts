import type { Environment } from '../../base/environment.js'
import type { Credential, CredentialSource } from './credential.js'

/** Milliseconds between reads: less than the time that a kubelet leaves between replacing a token and its expiry. */
const period = 50_000

type FileEnvironment = Pick<Environment, 'clock' | 'log'>

/** A credential in files that are replaced from outside. If they cannot be read, the last credential stays in use. */
export class RotatingFile implements CredentialSource {
  readonly #read: () => Promise<Credential>
  readonly #environment: FileEnvironment
  #credential: Credential | undefined
  #readAt = Number.NEGATIVE_INFINITY

  /** `read` returns the present credential or throws. `initial` is used until it succeeds. */
  constructor(read: () => Promise<Credential>, environment: FileEnvironment, initial?: Credential) {
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

  /** The file may have been replaced: it is read again. */
  async rejected(credential: Credential): Promise<void> {
    if (credential === this.#credential) this.#readAt = Number.NEGATIVE_INFINITY
  }

  async #readOrKeep(): Promise<Credential> {
    try {
      return await this.#read()
    } catch (error) {
      if (!this.#credential) throw error
      this.#environment.log.error('credential file unreadable, using the last one', { error })
      return this.#credential
    }
  }
}

function isSame(one: Credential, other: Credential | undefined): boolean {
  if (!other || one.authorization !== other.authorization) return false
  return one.certificate?.cert === other.certificate?.cert && one.certificate?.key === other.certificate?.key
}
