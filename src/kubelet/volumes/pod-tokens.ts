import { TokenRequest } from '../../api/authentication/v1/token-request.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import type { ServiceAccountTokenProjection } from '../../api/core/v1/volume/projection.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'

const second = 1000
/** No token is used for longer, however long it would be good for. */
const longestUse = 24 * 3_600 * second
/** So that the tokens of a node's pods are not all asked for in one moment. */
const longestJitter = 10 * second
/** When a token that is still good could not be renewed. */
const retryAfter = 60 * second

export interface Token {
  readonly text: string
  /** When the next one is to be asked for, in milliseconds since the epoch. */
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

/** Tokens of service accounts for the pods of this node, each bound to its pod, and renewed in time. */
export class PodTokens {
  readonly #dependencies: PodTokensDependencies
  readonly #kept = new Map<string, CachedToken>()

  constructor(dependencies: PodTokensDependencies) {
    this.#dependencies = dependencies
  }

  /** Rejects only when there is none that is good. */
  async token(pod: Pod, projection: ServiceAccountTokenProjection, signal?: AbortSignal): Promise<Token> {
    const { clock, log } = this.#dependencies.environment
    const key = keyOf(pod, projection)
    const kept = this.#kept.get(key)
    const now = clock.now()
    // Should the machine's clock have been set back, a token would come from the future.
    if (kept && now < kept.refreshAt && now >= kept.issuedAt) return kept
    try {
      return this.#keep(key, await this.#request(pod, projection, signal))
    } catch (error) {
      const message = (error as Error).message
      if (!kept) throw new Error(`failed to fetch token: ${message}`, { cause: error })
      if (now > kept.expiresAt) throw new Error(`token ${key} expired and refresh failed: ${message}`, { cause: error })
      log.error('A token could not be renewed and is used on', { token: key, error })
      return this.#keep(key, { ...kept, refreshAt: now + retryAfter })
    }
  }

  forget(podUid: string): void {
    for (const [key, kept] of this.#kept) if (kept.podUid === podUid) this.#kept.delete(key)
  }

  #keep(key: string, token: CachedToken): CachedToken {
    this.#kept.set(key, token)
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

  /** After four fifths of its life, or a day. */
  #use(expiresAt: number, life: number): Pick<CachedToken, 'issuedAt' | 'refreshAt'> {
    const issuedAt = expiresAt - life
    const jitter = this.#dependencies.environment.random.integer(longestJitter / second) * second
    return { issuedAt, refreshAt: Math.min(issuedAt + longestUse, expiresAt - life / 5) - jitter }
  }
}

function accountOf({ spec }: Pod): string {
  return spec.serviceAccountName || 'default'
}

/** Fit to be shown: there is nothing secret in it. */
function keyOf(pod: Pod, { audience = '', expirationSeconds }: ServiceAccountTokenProjection): string {
  const { namespace, name, uid } = pod.metadata
  return JSON.stringify([accountOf(pod), namespace, audience, expirationSeconds, name, uid])
}
