import type { Environment } from '../../base/environment.js'
import type {
  Detail,
  PipelineStage,
  RequestContext,
  RequestListener,
  RequestResult,
} from '../request/request-context.js'
import type { RequestUser } from '../request/user.js'
import { AuditedRequest } from './audited-request.js'
import {
  type AuditEvent,
  auditEvent,
  objectReference,
  responseObject,
  type SentObject,
  withoutManagedFields,
} from './event.js'
import type { AuditStage } from './policy.js'
import type { AuditDecision } from './policy-rules.js'

/** Writes or sends events. Never throws, and does not delay requests. */
export interface AuditBackend {
  take(event: AuditEvent): void
  /** Resolves when all events are written or sent. */
  close(): Promise<void>
}

export interface Auditor {
  /** Before authentication, so that rejected requests are recorded, too. */
  readonly arrival: PipelineStage
  /** After authentication. */
  readonly received: PipelineStage
  close(): Promise<void>
}

type Decide = (info: RequestContext['info'], user: RequestUser) => AuditDecision

export function auditor(decide: Decide, backends: readonly AuditBackend[], environment: Environment): Auditor {
  const take = (event: AuditEvent) => {
    for (const backend of backends) backend.take(event)
  }
  const records = new WeakMap<RequestContext, AuditRecord>()
  return {
    arrival: {
      name: 'audit',
      run(context) {
        const record = new AuditRecord({ decide, take, environment })
        records.set(context, record)
        context.listeners = [...(context.listeners ?? []), record]
      },
    },
    received: {
      name: 'audit policy',
      run(context) {
        const record = records.get(context)!
        record.received(context)
        context.decision = record.level
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

/** The user of requests that failed authentication. */
const unknownUser: RequestUser = { name: '', uid: '', groups: [], extra: {} }

/** Collects the audit events of one request. */
class AuditRecord implements RequestListener {
  readonly #parts: RecordParts
  readonly #annotations: Record<string, string> = {}
  #decision: AuditDecision | undefined
  #user: RequestUser | undefined
  #request: AuditedRequest | undefined
  /** The decoded object of the client: all of it, or only its name. */
  #sent: SentObject | undefined

  constructor(parts: RecordParts) {
    this.#parts = parts
  }

  get level(): string {
    return this.#decision?.level ?? 'None'
  }

  /** Whether the policy lets events contain objects. */
  get #seesObjects(): boolean {
    return this.level === 'Request' || this.level === 'RequestResponse'
  }

  received(context: RequestContext): void {
    this.#decide(context, context.user)
    if (this.#seesObjects) {
      this.#request = new AuditedRequest(context.request)
      context.request = this.#request
    }
    this.#write(context, 'RequestReceived')
  }

  annotate(name: string, value: string, detail: Detail = 'metadata'): void {
    if (detail === 'metadata' || this.#seesObjects) this.#annotations[name] = value
  }

  decoded(object: SentObject): void {
    if (this.#seesObjects) this.#sent = structuredClone(object)
    else if (this.level !== 'None') this.#sent = objectReference(object)
  }

  started(context: RequestContext): void {
    this.#write(context, 'ResponseStarted', { outcome: { code: 200 } })
  }

  async ended(context: RequestContext, outcome: RequestResult): Promise<void> {
    this.#decide(context, unknownUser)
    if (this.level === 'None') return
    const stage: AuditStage = outcome.isInternalError ? 'Panic' : 'ResponseComplete'
    const requestObject = this.#request && this.#shown(this.#sent ?? (await this.#request.sent()))
    const response = this.level === 'RequestResponse' ? responseObject(context.response, outcome) : undefined
    this.#write(context, stage, { outcome, requestObject, responseObject: this.#shown(response) })
  }

  /** The policy applies to the authenticated user, not to the impersonated one. */
  #decide(context: RequestContext, user: RequestUser): void {
    if (this.#decision) return
    this.#user = user
    this.#decision = this.#parts.decide(context.info, user)
  }

  #shown(object: unknown): unknown {
    return this.#decision?.omitManagedFields ? withoutManagedFields(object) : object
  }

  #write(context: RequestContext, stage: AuditStage, more: object = {}): void {
    const { level, omitted } = this.#decision!
    if (level === 'None' || omitted.has(stage)) return
    const at = this.#parts.environment.clock.now()
    const about = { context, level, stage, at, user: this.#user!, annotations: this.#annotations, sent: this.#sent }
    this.#parts.take(auditEvent({ ...about, ...more }))
  }
}
