import { forbidden, internalError } from '../../api/errors.js'
import type { Exchange, ExchangeListener } from '../exchange.js'
import type { Stage } from '../stage.js'
import { attributesOf } from './attributes.js'
import type { Attributes, Authorizer, Decision } from './authorizer.js'
import { refusal } from './refusal.js'

/** May you: the first authorizer with an opinion decides, and if none has one, the answer is no. */
export function authorizationStage(authorizers: readonly Authorizer[]): Stage {
  return {
    name: 'authorization',
    run(exchange) {
      const attributes = attributesOf(exchange)
      const inquiry = new Inquiry(authorizers, attributes)
      const decision = inquiry.next()
      if (decision instanceof Promise || startsProcess(attributes)) return enforceAll(exchange, inquiry, decision)
      return enforce(exchange, inquiry, decision)
    },
  }
}

async function enforceAll(exchange: Exchange, inquiry: Inquiry, decision: Decision | Promise<Decision>): Promise<void> {
  enforce(exchange, inquiry, await decision)
  if (startsProcess(inquiry.attributes)) await checkAlso('create', inquiry)
}

function enforce(exchange: Exchange, { attributes, by }: Inquiry, { verdict, reason, fault }: Decision): void {
  if (verdict !== 'allow' && fault !== undefined) throw internalError(fault)
  if (exchange.listeners) annotate(exchange.listeners, verdict === 'allow' ? 'allow' : 'forbid', reason)
  if (verdict !== 'allow') throw refusal(attributes, reason)
  exchange.decision = 'allowed'
  exchange.reason = reason || by
}

function annotate(listeners: readonly ExchangeListener[], decision: string, reason: string): void {
  for (const listener of listeners) {
    listener.annotate?.('authorization.k8s.io/decision', decision)
    listener.annotate?.('authorization.k8s.io/reason', reason)
  }
}

const processes: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward'])

/** Over a WebSocket these begin with a GET; but who may only look must not get into a container by that. */
function startsProcess({ verb, group, resource, subresource }: Attributes): boolean {
  return verb === 'get' && processes.has(subresource) && resource === 'pods' && group === ''
}

async function checkAlso(verb: string, { authorizers, attributes }: Inquiry): Promise<void> {
  const { verdict, reason, fault } = await decide(authorizers, { ...attributes, verb })
  if (verdict !== 'allow' && fault !== undefined) throw internalError(fault)
  const { group, resource, name } = attributes
  if (verdict !== 'allow') throw forbidden({ group, resource }, name, reason)
}

/** What all of them together say. Also for reviews, which ask without wanting to do anything. */
export function decide(authorizers: readonly Authorizer[], attributes: Attributes): Decision | Promise<Decision> {
  return new Inquiry(authorizers, attributes).next()
}

/** One question's way through the chain. */
class Inquiry {
  readonly authorizers: readonly Authorizer[]
  readonly attributes: Attributes
  /** Who was asked last. */
  by = ''
  readonly #reasons: string[] = []
  readonly #faults: string[] = []
  #index = 0

  constructor(authorizers: readonly Authorizer[], attributes: Attributes) {
    this.authorizers = authorizers
    this.attributes = attributes
  }

  /** Goes on where it stopped, until somebody has an opinion or must think about it. */
  next(): Decision | Promise<Decision> {
    while (this.#index < this.authorizers.length) {
      const decision = this.#ask(this.authorizers[this.#index++]!)
      if (decision instanceof Promise) return this.#wait(decision)
      if (decision && this.#settles(decision)) return decision
    }
    const reason = this.#reasons.join('\n')
    if (this.#faults.length === 0) return { verdict: 'no-opinion', reason }
    return { verdict: 'no-opinion', reason, fault: this.#faults.join(', ') }
  }

  #settles({ verdict, reason, fault }: Decision): boolean {
    if (verdict !== 'no-opinion') return true
    if (reason !== '') this.#reasons.push(reason)
    if (fault !== undefined) this.#faults.push(fault)
    return false
  }

  /** An authorizer that fails has no opinion; but without one from the others, nobody can say that the answer is no. */
  #ask(authorizer: Authorizer): Decision | undefined | Promise<Decision | undefined> {
    this.by = authorizer.name
    try {
      const decision = authorizer.authorize(this.attributes)
      return decision instanceof Promise ? decision.catch((error: unknown) => this.#fail(error)) : decision
    } catch (error) {
      return this.#fail(error)
    }
  }

  #fail(error: unknown): undefined {
    this.#faults.push(error instanceof Error ? error.message : String(error))
  }

  async #wait(outcome: Promise<Decision | undefined>): Promise<Decision> {
    const decision = await outcome
    return decision && this.#settles(decision) ? decision : this.next()
  }
}
