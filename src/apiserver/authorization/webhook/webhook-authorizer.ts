import type { Clock } from '../../../base/clock.js'
import type { WebhookClient } from '../../outgoing/webhook-client.js'
import type { AuthorizationAttributes, AuthorizationResult, Authorizer, UserRules } from '../authorizer.js'
import { reviewSpec, type SubjectAccessReviewVersion } from './review-spec.js'

export interface WebhookAuthorizerOptions {
  /** The name in reasons and traces. */
  readonly name: string
  readonly client: WebhookClient
  readonly clock: Clock
  readonly version: SubjectAccessReviewVersion
  /** How long allowed and denied requests are cached, in milliseconds. */
  readonly authorizedTtl: number
  readonly unauthorizedTtl: number
  /** The decision if the webhook fails. */
  readonly onFailure: 'no-opinion' | 'deny'
}

interface Remembered {
  readonly decision: AuthorizationResult
  readonly until: number
}

const mostRemembered = 8192

/** Upper bound of the length of a cache key, because clients control it. */
const maxCachedKeyLength = 10_000

/** Lets a webhook decide, and caches its decisions. Concurrent equal requests share one call. */
export class WebhookAuthorizer implements Authorizer {
  readonly name: string
  readonly #parts: WebhookAuthorizerOptions
  readonly #remembered = new Map<string, Remembered>()
  readonly #asked = new Map<string, Promise<AuthorizationResult>>()

  constructor(parts: WebhookAuthorizerOptions) {
    this.name = parts.name
    this.#parts = parts
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationResult | Promise<AuthorizationResult> {
    const spec = reviewSpec(attributes, this.#parts.version)
    const key = JSON.stringify(spec)
    const known = this.#recall(key)
    if (known) return known
    const asked = this.#asked.get(key) ?? this.#ask(spec, isShort(attributes) ? key : undefined)
    this.#asked.set(key, asked)
    return asked.finally(() => this.#asked.delete(key))
  }

  #recall(key: string): AuthorizationResult | undefined {
    const known = this.#remembered.get(key)
    if (!known) return undefined
    this.#remembered.delete(key)
    if (known.until <= this.#parts.clock.now()) return undefined
    this.#remembered.set(key, known) // most recently used last
    return known.decision
  }

  async #ask(spec: object, key: string | undefined): Promise<AuthorizationResult> {
    const { client, version, onFailure } = this.#parts
    try {
      const review = { kind: 'SubjectAccessReview', apiVersion: `authorization.k8s.io/${version}`, spec }
      const decision = decisionIn(await client(review))
      if (key !== undefined) this.#remember(key, decision)
      return decision
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { decision: onFailure, reason: '', error: message }
    }
  }

  #remember(key: string, decision: AuthorizationResult): void {
    const { clock, authorizedTtl, unauthorizedTtl } = this.#parts
    const ttl = decision.decision === 'allow' ? authorizedTtl : unauthorizedTtl
    if (ttl <= 0) return
    this.#remembered.set(key, { decision, until: clock.now() + ttl })
    const [oldest] = this.#remembered.keys()
    if (this.#remembered.size > mostRemembered) this.#remembered.delete(oldest!)
  }

  rulesFor(): UserRules {
    return { rules: [], isIncomplete: true, error: 'webhook authorizer does not support user rule resolution' }
  }
}

function isShort({
  namespace,
  verb,
  group,
  version,
  resource,
  subresource,
  name,
  path,
}: AuthorizationAttributes): boolean {
  const texts = [namespace, verb, group, version, resource, subresource, name, path]
  return texts.reduce((length, text) => length + text.length, 0) < maxCachedKeyLength
}

interface Review {
  readonly status?: { readonly allowed?: boolean; readonly denied?: boolean; readonly reason?: string }
}

/** A response that both allows and denies is a denial. */
function decisionIn(answer: unknown): AuthorizationResult {
  const { status } = (answer ?? {}) as Review
  if (typeof status !== 'object' || status === null) throw new Error('the webhook answered without a status')
  const { allowed, denied } = status
  const reason = typeof status.reason === 'string' ? status.reason : ''
  if (denied === true && allowed === true)
    return { decision: 'deny', reason, error: 'webhook subject access review returned both allow and deny response' }
  if (denied === true) return { decision: 'deny', reason }
  return { decision: allowed === true ? 'allow' : 'no-opinion', reason }
}
