import { TokenRequest } from '../../api/authentication/v1/token-request.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import type { ServiceAccountTokenProjection } from '../../api/core/v1/volume/projection.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'

const second = 1000
/** Maximum use of a token, even if it is valid for longer. */
const longestUse = 24 * 3_600 * second
/** Spreads the token requests of a node's pods. */
const longestJitter = 10 * second
/** Retry delay if a valid token cannot be renewed. */
const retryAfter = 60 * second

export interface Token {
  readonly text: string
  /** When to request the next token, in milliseconds since the epoch. */
  readonly refreshAt: number
}

interface CachedToken extends Token {
  readonly podUid: string
  readonly issuedAt: number
  readonly expiresAt: number
}

export interface PodTokensDependencies {
  readonly client: Client
  readonly environment: Environment
}

/** Requests, caches and renews service account tokens that are bound to pods. */
export class PodTokens {
  readonly #dependencies: PodTokensDependencies
  readonly #cache = new Map<string, CachedToken>()

  constructor(dependencies: PodTokensDependencies) {
    this.#dependencies = dependencies
  }

  /** Rejects only if there is no valid token. */
  async token(pod: Pod, projection: ServiceAccountTokenProjection, signal?: AbortSignal): Promise<Token> {
    const { clock, log } = this.#dependencies.environment
    const key = keyOf(pod, projection)
    const cached = this.#cache.get(key)
    const now = clock.now()
    // If the clock was set back, the token is from the future.
    if (cached && now < cached.refreshAt && now >= cached.issuedAt) return cached
    try {
      return this.#store(key, await this.#request(pod, projection, signal))
    } catch (error) {
      const message = (error as Error).message
      if (!cached) throw new Error(`failed to fetch token: ${message}`, { cause: error })
      if (now > cached.expiresAt)
        throw new Error(`token ${key} expired and refresh failed: ${message}`, { cause: error })
      log.error('token renewal failed', { token: key, error })
      return this.#store(key, { ...cached, refreshAt: now + retryAfter })
    }
  }

  forget(podUid: string): void {
    for (const [key, cached] of this.#cache) if (cached.podUid === podUid) this.#cache.delete(key)
  }

  #store(key: string, token: CachedToken): CachedToken {
    this.#cache.set(key, token)
    return token
  }

  async #request(pod: Pod, projection: ServiceAccountTokenProjection, signal?: AbortSignal): Promise<CachedToken> {
    const { client } = this.#dependencies
    const { namespace = '', name: podName, uid = '' } = pod.metadata
    const { audience, expirationSeconds } = projection
    const accounts = client.resource(ServiceAccount).in(namespace).subresource('token', TokenRequest)
    const request = {
      audiences: audience ? [audience] : [],
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: podName, uid },
      ...(expirationSeconds !== undefined && { expirationSeconds }),
    }
    const name = accountOf(pod)
    const { spec, status } = await accounts.create({ metadata: { name, namespace }, spec: request }, { signal })
    const expiresAt = Date.parse(status!.expirationTimestamp!)
    const life = spec!.expirationSeconds! * second
    return { podUid: uid, text: status!.token!, expiresAt, ...this.#use(expiresAt, life) }
  }

  /** Renews after four fifths of the lifetime, or after a day. */
  #use(expiresAt: number, life: number): Pick<CachedToken, 'issuedAt' | 'refreshAt'> {
    const issuedAt = expiresAt - life
    const jitter = this.#dependencies.environment.random.integer(longestJitter / second) * second
    return { issuedAt, refreshAt: Math.min(issuedAt + longestUse, expiresAt - life / 5) - jitter }
  }
}

function accountOf({ spec }: Pod): string {
  return spec.serviceAccountName || 'default'
}

/** The key contains no secret and may be logged. */
function keyOf(pod: Pod, { audience = '', expirationSeconds }: ServiceAccountTokenProjection): string {
  const { namespace, name, uid } = pod.metadata
  return JSON.stringify([accountOf(pod), namespace, audience, expirationSeconds, name, uid])
}
