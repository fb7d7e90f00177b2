import type { Environment } from '../../base/environment.js'
import type { Detail, Exchange, ExchangeListener, Outcome } from '../exchange.js'
import type { Stage } from '../stage.js'
import type { User } from '../user.js'
import {
  type AuditEvent,
  auditEvent,
  objectReference,
  omitManagedFields,
  responseObject,
  type SentObject,
} from './event.js'
import type { AuditStage } from './policy.js'
import type { AuditDecision } from './policy-rules.js'
import { AuditedRequest } from './recorded-request.js'

/** Takes events away. Never throws, and never holds anybody up for long. */
export interface AuditBackend {
  take(event: AuditEvent): void
  /** Resolves when all that was taken has left. */
  close(): Promise<void>
}

export interface Auditor {
  /** Before anybody is known: also those who are refused are written down. */
  readonly arrival: Stage
  /** Once it is known who asks. */
  readonly received: Stage
  close(): Promise<void>
}

type Decide = (info: Exchange['info'], user: User) => AuditDecision

export function auditor(decide: Decide, backends: readonly AuditBackend[], environment: Environment): Auditor {
  const take = (event: AuditEvent) => {
    for (const backend of backends) backend.take(event)
  }
  const records = new WeakMap<Exchange, AuditRecord>()
  return {
    arrival: {
      name: 'audit',
      run(exchange) {
        const record = new AuditRecord({ decide, take, environment })
        records.set(exchange, record)
        exchange.listeners = [...(exchange.listeners ?? []), record]
      },
    },
    received: {
      name: 'audit policy',
      run(exchange) {
        const record = records.get(exchange)!
        record.received(exchange)
        exchange.decision = record.level
      },
    },
    async close() {
      for (const backend of backends) await backend.close()
    },
  }
}

interface RecordParts {
  readonly decide: Decide
  readonly take: (event: AuditEvent) => void
  readonly environment: Environment
}

/** Whoever was refused because nobody knows him. */
const nobody: User = { name: '', uid: '', groups: [], extra: {} }

/** What is written down about one request. */
class AuditRecord implements ExchangeListener {
  readonly #parts: RecordParts
  readonly #annotations: Record<string, string> = {}
  #decision: AuditDecision | undefined
  #user: User | undefined
  #request: AuditedRequest | undefined
  /** What the client sent, if it was understood: whole, or only who it says it is. */
  #sent: SentObject | undefined

  constructor(parts: RecordParts) {
    this.#parts = parts
  }

  get level(): string {
    return this.#decision?.level ?? 'None'
  }

  /** Whether what was sent may be written down, and not only that it was. */
  get #seesObjects(): boolean {
    return this.level === 'Request' || this.level === 'RequestResponse'
  }

  received(exchange: Exchange): void {
    this.#decide(exchange, exchange.user)
    if (this.#seesObjects) {
      this.#request = new AuditedRequest(exchange.request)
      exchange.request = this.#request
    }
    this.#write(exchange, 'RequestReceived')
  }

  annotate(name: string, value: string, detail: Detail = 'metadata'): void {
    if (detail === 'metadata' || this.#seesObjects) this.#annotations[name] = value
  }

  understood(object: SentObject): void {
    if (this.#seesObjects) this.#sent = structuredClone(object)
    else if (this.level !== 'None') this.#sent = objectReference(object)
  }

  started(exchange: Exchange): void {
    this.#write(exchange, 'ResponseStarted', { outcome: { code: 200 } })
  }

  async ended(exchange: Exchange, outcome: Outcome): Promise<void> {
    this.#decide(exchange, nobody)
    if (this.level === 'None') return
    const stage: AuditStage = outcome.isMistake ? 'Panic' : 'ResponseComplete'
    const requestObject = this.#request && this.#shown(this.#sent ?? (await this.#request.sent()))
    const response = this.level === 'RequestResponse' ? responseObject(exchange.answer, outcome) : undefined
    this.#write(exchange, stage, { outcome, requestObject, responseObject: this.#shown(response) })
  }

  /** Who is known at first is who asks, whatever he acts as later. */
  #decide(exchange: Exchange, user: User): void {
    if (this.#decision) return
    this.#user = user
    this.#decision = this.#parts.decide(exchange.info, user)
  }

  #shown(object: unknown): unknown {
    return this.#decision?.omitManagedFields ? omitManagedFields(object) : object
  }

  #write(exchange: Exchange, stage: AuditStage, more: object = {}): void {
    const { level, omitted } = this.#decision!
    if (level === 'None' || omitted.has(stage)) return
    const at = this.#parts.environment.clock.now()
    const about = { exchange, level, stage, at, user: this.#user!, annotations: this.#annotations, sent: this.#sent }
    this.#parts.take(auditEvent({ ...about, ...more }))
  }
}
