import { forbidden, internalError } from '../../api/errors.js'
import type { PipelineStage, RequestContext, RequestListener } from '../request/request-context.js'
import { authorizationAttributes } from './attributes.js'
import type { AuthorizationAttributes, AuthorizationResult, Authorizer } from './authorizer.js'
import { denial } from './denial.js'

/** Rejects requests that the authorizers deny. The first authorizer with an opinion decides; without one, the request is denied. */
export function authorizationStage(authorizers: readonly Authorizer[]): PipelineStage {
  return {
    name: 'authorization',
    run(context) {
      const attributes = authorizationAttributes(context)
      const inquiry = new AuthorizationRun(authorizers, attributes)
      const decision = inquiry.next()
      if (decision instanceof Promise || startsProcess(attributes)) return enforceAll(context, inquiry, decision)
      return enforce(context, inquiry, decision)
    },
  }
}

async function enforceAll(
  context: RequestContext,
  inquiry: AuthorizationRun,
  decision: AuthorizationResult | Promise<AuthorizationResult>,
): Promise<void> {
  enforce(context, inquiry, await decision)
  if (startsProcess(inquiry.attributes)) await checkAlso('create', inquiry)
}

function enforce(
  context: RequestContext,
  { attributes, by }: AuthorizationRun,
  { decision, reason, error }: AuthorizationResult,
): void {
  if (decision !== 'allow' && error !== undefined) throw internalError(error)
  if (context.listeners) annotate(context.listeners, decision === 'allow' ? 'allow' : 'forbid', reason)
  if (decision !== 'allow') throw denial(attributes, reason)
  context.decision = 'allowed'
  context.reason = reason || by
}

function annotate(listeners: readonly RequestListener[], decision: string, reason: string): void {
  for (const listener of listeners) {
    listener.annotate?.('authorization.k8s.io/decision', decision)
    listener.annotate?.('authorization.k8s.io/reason', reason)
  }
}

const processes: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward'])

/** A WebSocket starts with a GET, but permission to read must not give access to a container. */
function startsProcess({ verb, group, resource, subresource }: AuthorizationAttributes): boolean {
  return verb === 'get' && processes.has(subresource) && resource === 'pods' && group === ''
}

async function checkAlso(verb: string, { authorizers, attributes }: AuthorizationRun): Promise<void> {
  const { decision, reason, error } = await runAuthorizers(authorizers, { ...attributes, verb })
  if (decision !== 'allow' && error !== undefined) throw internalError(error)
  const { group, resource, name } = attributes
  if (decision !== 'allow') throw forbidden({ group, resource }, name, reason)
}

/** Runs the authorizers for a request or a review. Returns a promise only if one of them does. */
export function runAuthorizers(
  authorizers: readonly Authorizer[],
  attributes: AuthorizationAttributes,
): AuthorizationResult | Promise<AuthorizationResult> {
  return new AuthorizationRun(authorizers, attributes).next()
}

/** The authorization of one request. */
class AuthorizationRun {
  readonly authorizers: readonly Authorizer[]
  readonly attributes: AuthorizationAttributes
  /** The last authorizer that ran. */
  by = ''
  readonly #reasons: string[] = []
  readonly #errors: string[] = []
  #index = 0

  constructor(authorizers: readonly Authorizer[], attributes: AuthorizationAttributes) {
    this.authorizers = authorizers
    this.attributes = attributes
  }

  /** Continues where it stopped, until an authorizer has an opinion or returns a promise. */
  next(): AuthorizationResult | Promise<AuthorizationResult> {
    while (this.#index < this.authorizers.length) {
      const decision = this.#ask(this.authorizers[this.#index++]!)
      if (decision instanceof Promise) return this.#wait(decision)
      if (decision && this.#settles(decision)) return decision
    }
    const reason = this.#reasons.join('\n')
    if (this.#errors.length === 0) return { decision: 'no-opinion', reason }
    return { decision: 'no-opinion', reason, error: this.#errors.join(', ') }
  }

  #settles({ decision, reason, error }: AuthorizationResult): boolean {
    if (decision !== 'no-opinion') return true
    if (reason !== '') this.#reasons.push(reason)
    if (error !== undefined) this.#errors.push(error)
    return false
  }

  /** A failed authorizer has no opinion. If the others have none, the request ends with its error instead of a denial. */
  #ask(authorizer: Authorizer): AuthorizationResult | undefined | Promise<AuthorizationResult | undefined> {
    this.by = authorizer.name
    try {
      const decision = authorizer.authorize(this.attributes)
      return decision instanceof Promise ? decision.catch((error: unknown) => this.#fail(error)) : decision
    } catch (error) {
      return this.#fail(error)
    }
  }

  #fail(error: unknown): undefined {
    this.#errors.push(error instanceof Error ? error.message : String(error))
  }

  async #wait(outcome: Promise<AuthorizationResult | undefined>): Promise<AuthorizationResult> {
    const decision = await outcome
    return decision && this.#settles(decision) ? decision : this.next()
  }
}
