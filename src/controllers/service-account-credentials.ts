import { TokenRequest } from '../api/authentication/v1/token-request.js'
import { ServiceAccount } from '../api/core/v1/service-account.js'
import { hasReason } from '../api/errors.js'
import type { Environment } from '../base/environment.js'
import type { Client } from '../client/client.js'
import { bearer, type Credential, type CredentialSource } from '../client/credentials/credential.js'

const namespace = 'kube-system'
const lifetimeSeconds = 3600
/** A token is renewed when so much of its life is over. */
const renewAt = 0.8

interface Held {
  readonly credential: Credential
  /** On the clock that never goes back. */
  readonly renew: number
}

/** Another controller manager may have made it meanwhile. */
function unlessThere(error: unknown): void {
  if (!hasReason(error, 'AlreadyExists')) throw error
}

/** Tokens of a service account of `kube-system`, asked for by somebody who may ask for them. The account is made if there is none. */
export class ServiceAccountCredentials implements CredentialSource {
  readonly #client: Client
  readonly #account: string
  readonly #environment: Environment
  #held: Promise<Held> | undefined

  constructor(client: Client, account: string, environment: Environment) {
    this.#client = client
    this.#account = account
    this.#environment = environment
  }

  async current(): Promise<Credential> {
    this.#held ??= this.#request()
    const held = await this.#held
    const isOld = this.#environment.clock.monotonic() >= held.renew
    return isOld ? (await this.#renewed()).credential : held.credential
  }

  async rejected(credential: Credential): Promise<void> {
    if ((await this.#held)?.credential === credential) this.#held = undefined
  }

  #renewed(): Promise<Held> {
    this.#held = this.#request()
    return this.#held
  }

  /** What fails is not held: the next request asks again. */
  async #request(): Promise<Held> {
    try {
      const { status } = await this.#ask()
      const { clock } = this.#environment
      const renew = clock.monotonic() + renewAt * lifetimeSeconds * 1000
      return { credential: { authorization: bearer(status.token!) }, renew }
    } catch (error) {
      this.#held = undefined
      throw error
    }
  }

  async #ask(): Promise<TokenRequest> {
    const accounts = this.#client.resource(ServiceAccount).in(namespace)
    const spec = { audiences: [], expirationSeconds: lifetimeSeconds }
    const ask = () => accounts.subresource('token', TokenRequest).create({ metadata: { name: this.#account }, spec })
    try {
      return await ask()
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error
      await accounts.create({ metadata: { name: this.#account } }).catch(unlessThere)
      return ask()
    }
  }
}
