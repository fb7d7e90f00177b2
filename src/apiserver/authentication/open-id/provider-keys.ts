import type { Clock } from '../../../base/clock.js'
import type { OutgoingClient } from '../../outgoing/outgoing-client.js'
import { readKeySet } from '../jwt/jwk.js'
import type { VerifyingKey } from '../jwt/verify.js'

/** Keys are not requested more often, whichever key ids tokens claim. */
const minInterval = 10_000
const timeout = 30_000

/** The cached keys of a provider. */
export class ProviderKeys {
  readonly #issuer: string
  readonly #client: OutgoingClient
  readonly #clock: Clock
  #keys: readonly VerifyingKey[] = []
  #requestedAt = Number.NEGATIVE_INFINITY
  #pending: Promise<void> | undefined

  constructor(issuer: string, client: OutgoingClient, clock: Clock) {
    this.#issuer = issuer
    this.#client = client
    this.#clock = clock
  }

  get known(): readonly VerifyingKey[] {
    return this.#keys
  }

  /** Requests the keys again. Returns undefined if the last request was just now. */
  refresh(): Promise<void> | undefined {
    if (this.#pending) return this.#pending
    if (this.#clock.monotonic() - this.#requestedAt < minInterval) return undefined
    this.#requestedAt = this.#clock.monotonic()
    this.#pending = this.#read().finally(() => {
      this.#pending = undefined
    })
    return this.#pending
  }

  async #read(): Promise<void> {
    const { issuer, jwks_uri: keysUrl } = (await this.#json(configurationUrl(this.#issuer))) as Record<string, unknown>
    if (issuer !== this.#issuer) throw new Error('the OpenID provider names another issuer')
    if (typeof keysUrl !== 'string' || !keysUrl.startsWith('https://'))
      throw new Error('the OpenID provider names no URL of its keys')
    this.#keys = readKeySet(await this.#json(keysUrl))
  }

  async #json(url: string): Promise<unknown> {
    const headers = { accept: 'application/json' }
    const { status, text } = await this.#client({ method: 'GET', url, headers, timeout })
    if (status !== 200) throw new Error(`the OpenID provider answered with status ${status}`)
    return JSON.parse(text) ?? {}
  }
}

function configurationUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
}
