import type { Timer } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { WebhookClient } from '../outgoing/webhook-client.js'
import type { AuditBackend } from './auditor.js'
import type { AuditEvent } from './event.js'

export interface BatchOptions {
  /** Upper bound of events per request. */
  readonly maxSize: number
  /** How long an event may wait for others, in milliseconds. */
  readonly maxWait: number
  /** Upper bound of waiting events; more are dropped. */
  readonly bufferSize: number
}

/** Sends events to a webhook in batches, one request after the other. */
export class WebhookBatches implements AuditBackend {
  readonly #client: WebhookClient
  readonly #options: BatchOptions
  readonly #environment: Environment
  #waiting: AuditEvent[] = []
  #timer: Timer | undefined
  #sending: Promise<void> | undefined
  #dropped = 0

  constructor(client: WebhookClient, options: BatchOptions, environment: Environment) {
    this.#client = client
    this.#options = options
    this.#environment = environment
    const help = 'Events that were lost because the webhook was too slow or failed'
    environment.metrics.collected({ name: 'apiserver_audit_error_total', help, type: 'counter' }, () => [
      { labels: { plugin: 'webhook' }, value: this.#dropped },
    ])
  }

  take(event: AuditEvent): void {
    const { bufferSize, maxSize, maxWait } = this.#options
    if (this.#waiting.length >= bufferSize) {
      this.#dropped++
      return
    }
    this.#waiting.push(event)
    if (this.#waiting.length >= maxSize) this.#send()
    else this.#timer ??= this.#environment.clock.timer(maxWait, () => this.#send())
  }

  #send(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined
    })
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const items = this.#waiting.splice(0, this.#options.maxSize)
      try {
        await this.#client({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {}, items })
      } catch (error) {
        this.#dropped += items.length
        this.#environment.log.error('audit webhook call failed', { error, events: items.length })
      }
    }
  }

  async close(): Promise<void> {
    this.#send()
    await this.#sending
  }
}
