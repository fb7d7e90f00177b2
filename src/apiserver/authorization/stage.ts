import { internalError } from '../../api/errors.js'
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
      const inquiry = new Inquiry(authorizers, attributesOf(exchange))
      const decision = inquiry.next()
      if (!(decision instanceof Promise)) return enforce(exchange, inquiry, decision)
      return decision.then((decided) => enforce(exchange, inquiry, decided))
    },
  }
}

function enforce(exchange: Exchange, { attributes, by }: Inquiry, { verdict, reason, fault }: Decision): void {
  if (verdict === 'no-opinion' && fault !== undefined) throw internalError(fault)
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

/** What all of them together say. Also for reviews, which ask without wanting to do anything. */
export function decide(authorizers: readonly Authorizer[], attributes: Attributes): Decision | Promise<Decision> {
  return new Inquiry(authorizers, attributes).next()
}

/** One question's way through the chain. */
class Inquiry {
  readonly #authorizers: readonly Authorizer[]
  readonly attributes: Attributes
  /** Who was asked last. */
  by = ''
  readonly #reasons: string[] = []
  readonly #faults: string[] = []
  #index = 0

  constructor(authorizers: readonly Authorizer[], attributes: Attributes) {
    this.#authorizers = authorizers
    this.attributes = attributes
  }

  /** Goes on where it stopped, until somebody has an opinion or must think about it. */
  next(): Decision | Promise<Decision> {
    while (this.#index < this.#authorizers.length) {
      const decision = this.#ask(this.#authorizers[this.#index++]!)
      if (decision instanceof Promise) return this.#wait(decision)
      if (decision && this.#settles(decision)) return decision
    }
    const reason = this.#reasons.join('\n')
    if (this.#faults.length === 0) return { verdict: 'no-opinion', reason }
    return { verdict: 'no-opinion', reason, fault: this.#faults.join(', ') }
  }

  #settles({ verdict, reason }: Decision): boolean {
    if (verdict !== 'no-opinion') return true
    if (reason !== '') this.#reasons.push(reason)
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
