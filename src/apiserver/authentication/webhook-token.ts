import type { Clock } from '../../base/clock.js'
import type { WebhookClient } from '../outgoing/webhook-client.js'
import type { RequestUser } from '../request/user.js'
import { BadCredentials, type TokenAuthenticator, type TokenUser } from './authenticator.js'
import { SecretDigests } from './secret-digest.js'

export interface WebhookTokenOptions {
  readonly client: WebhookClient
  readonly clock: Clock
  /** In which the review is sent. */
  readonly version: 'v1' | 'v1beta1'
  /** How long an answer counts, in milliseconds. */
  readonly ttl: number
  /** This server's own; none where it takes any that the one who is asked takes. */
  readonly audiences: readonly string[]
}

interface Remembered {
  readonly outcome: Promise<TokenUser | undefined>
  readonly until: number
}

const mostRemembered = 10_000

/** Asks somebody else whom a token speaks for, and remembers the answer. Of several who ask at once only one asks it. */
export function webhookTokenAuthenticator(parts: WebhookTokenOptions): TokenAuthenticator {
  const { clock, ttl } = parts
  const digests = new SecretDigests()
  const remembered = new Map<string, Remembered>()
  const forget = (now: number) => {
    for (const [key, { until }] of remembered) {
      if (until > now && remembered.size <= mostRemembered) return
      remembered.delete(key)
    }
  }
  return {
    name: 'webhook',
    authenticate(token, audiences = parts.audiences) {
      const key = digests.keyOf(JSON.stringify([token, ...audiences]))
      const now = clock.now()
      const known = remembered.get(key)
      if (known && known.until > now) return known.outcome
      remembered.delete(key)
      const outcome = ask(parts, token, audiences)
      remembered.set(key, { outcome, until: now + ttl })
      outcome.catch(() => remembered.delete(key)) // a failure is nothing to remember
      forget(now)
      return outcome
    },
  }
}

interface Review {
  readonly status?: {
    readonly authenticated?: boolean
    readonly error?: string
    readonly audiences?: readonly string[]
    readonly user?: { readonly username?: string; readonly uid?: string } & Partial<
      Pick<RequestUser, 'groups' | 'extra'>
    >
  }
}

async function ask(
  { client, version, audiences: own }: WebhookTokenOptions,
  token: string,
  audiences: readonly string[],
): Promise<TokenUser | undefined> {
  const apiVersion = `authentication.k8s.io/${version}`
  const answer = (await client({ kind: 'TokenReview', apiVersion, spec: { token, audiences } })) as Review | null
  const { authenticated, error = '', audiences: told, user } = answer?.status ?? {}
  if (authenticated !== true) {
    if (error !== '') throw new BadCredentials('the webhook refused the token')
    return undefined
  }
  // A webhook that knows nothing of audiences speaks for this server.
  const met = audiences.filter((audience) => (told?.length ? told : own).includes(audience))
  if (met.length === 0 && audiences.length > 0) return undefined
  const { username = '', uid = '', groups = [], extra = {} } = user ?? {}
  return username === '' ? undefined : { name: username, uid, groups, extra, audiences: met }
}
