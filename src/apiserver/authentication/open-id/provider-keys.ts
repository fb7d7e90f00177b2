import type { Clock } from '../../../base/clock.js'
import type { OutgoingClient } from '../../outgoing/outgoing-client.js'
import { readKeySet } from '../jwt/jwk.js'
import type { VerifyingKey } from '../jwt/verify.js'

/** Keys are not asked for more often than this, whatever tokens claim. */
const shortestInterval = 10_000
const timeout = 30_000

/** The keys of a provider, as they were when it was last asked. */
export class ProviderKeys {
  readonly #issuer: string
  readonly #client: OutgoingClient
  readonly #clock: Clock
  #keys: readonly VerifyingKey[] = []
  #asked = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | undefined

  constructor(issuer: string, client: OutgoingClient, clock: Clock) {
    this.#issuer = issuer
    this.#client = client
    this.#clock = clock
  }

  get known(): readonly VerifyingKey[] {
    return this.#keys
  }

  /** Resolves when there may be others: undefined where it was asked just now. */
  refresh(): Promise<void> | undefined {
    if (this.#asking) return this.#asking
    if (this.#clock.monotonic() - this.#asked < shortestInterval) return undefined
    this.#asked = this.#clock.monotonic()
    this.#asking = this.#read().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #read(): Promise<void> {
    const { issuer, jwks_uri: keysUrl } = (await this.#json(configurationUrl(this.#issuer))) as Record<string, unknown>
    if (issuer !== this.#issuer) throw new Error('the OpenID provider says that it is another issuer')
    if (typeof keysUrl !== 'string' || !keysUrl.startsWith('https://'))
      throw new Error('the OpenID provider does not say where its keys are')
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
