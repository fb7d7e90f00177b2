import type { Clock } from '../../base/clock.js'
import type { WebhookClient } from '../outgoing/webhook-client.js'
import type { RequestUser } from '../request/user.js'
import { BadCredentials, type TokenAuthenticator, type TokenUser } from './authenticator.js'
import { SecretDigests } from './secret-digest.js'

export interface WebhookTokenOptions {
  readonly client: WebhookClient
  readonly clock: Clock
  /** The version of the TokenReview. */
  readonly version: 'v1' | 'v1beta1'
  /** How long a response is cached, in milliseconds. */
  readonly ttl: number
  /** The audiences of this server; if empty, it accepts any that the webhook accepts. */
  readonly audiences: readonly string[]
}

interface CachedUser {
  readonly user: Promise<TokenUser | undefined>
  readonly until: number
}

const maxCachedUsers = 10_000

/** Lets a webhook authenticate tokens, and caches its responses. Concurrent requests with one token share one call. */
export function webhookTokenAuthenticator(options: WebhookTokenOptions): TokenAuthenticator {
  const { clock, ttl } = options
  const digests = new SecretDigests()
  const cached = new Map<string, CachedUser>()
  const evict = (now: number) => {
    for (const [key, { until }] of cached) {
      if (until > now && cached.size <= maxCachedUsers) return
      cached.delete(key)
    }
  }
  return {
    name: 'webhook',
    authenticate(token, audiences = options.audiences) {
      const key = digests.keyOf(JSON.stringify([token, ...audiences]))
      const now = clock.now()
      const known = cached.get(key)
      if (known && known.until > now) return known.user
      cached.delete(key)
      const user = review(options, token, audiences)
      cached.set(key, { user, until: now + ttl })
      user.catch(() => cached.delete(key)) // failures are not cached
      evict(now)
      return user
    },
  }
}

interface TokenReviewResponse {
  readonly status?: {
    readonly authenticated?: boolean
    readonly error?: string
    readonly audiences?: readonly string[]
    readonly user?: { readonly username?: string; readonly uid?: string } & Partial<
      Pick<RequestUser, 'groups' | 'extra'>
    >
  }
}

async function review(
  { client, version, audiences: own }: WebhookTokenOptions,
  token: string,
  audiences: readonly string[],
): Promise<TokenUser | undefined> {
  const apiVersion = `authentication.k8s.io/${version}`
  const response = (await client({
    kind: 'TokenReview',
    apiVersion,
    spec: { token, audiences },
  })) as TokenReviewResponse | null
  const { authenticated, error = '', audiences: reviewed, user } = response?.status ?? {}
  if (authenticated !== true) {
    if (error !== '') throw new BadCredentials('the webhook rejected the token')
    return undefined
  }
  // The response of a webhook without audiences is for this server.
  const valid = audiences.filter((audience) => (reviewed?.length ? reviewed : own).includes(audience))
  if (valid.length === 0 && audiences.length > 0) return undefined
  const { username = '', uid = '', groups = [], extra = {} } = user ?? {}
  return username === '' ? undefined : { name: username, uid, groups, extra, audiences: valid }
}
