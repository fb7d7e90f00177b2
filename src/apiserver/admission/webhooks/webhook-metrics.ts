import type { Metrics } from '../../../base/metrics.js'
import type { Operation } from '../admission.js'
import { WebhookCallError, WebhookDenial } from './failures.js'

/** The types of webhooks in metrics. */
export type WebhookType = 'admit' | 'validating'

export interface WebhookCallMeasurement {
  readonly name: string
  readonly type: WebhookType
  readonly operation: Operation
  /** In seconds. */
  readonly duration: number
  /** The failure policy is `Ignore`. */
  readonly isIgnored: boolean
  /** The error of the call; undefined if the webhook allowed the request. */
  readonly error: unknown
}

const buckets = [0.005, 0.025, 0.1, 0.5, 1.0, 2.5, 10, 25]

/** Larger codes are not HTTP codes. */
const maxCode = 600

/** The metrics of webhooks, with upstream's names. */
export class WebhookMetrics {
  readonly #durations
  readonly #rejections
  readonly #opened
  readonly #requests

  constructor(metrics: Metrics) {
    const prefix = 'apiserver_admission_webhook'
    this.#durations = metrics.histogram({
      name: `${prefix}_admission_duration_seconds`,
      help: 'How long admission webhooks took to answer',
      labels: ['name', 'type', 'operation', 'rejected'],
      buckets,
    })
    this.#rejections = metrics.counter({
      name: `${prefix}_rejection_count`,
      help: 'Requests that ended at an admission webhook, because it said no or because it failed',
      labels: ['name', 'type', 'operation', 'error_type', 'rejection_code'],
    })
    this.#opened = metrics.counter({
      name: `${prefix}_fail_open_count`,
      help: 'Requests that went on although an admission webhook failed',
      labels: ['name', 'type'],
    })
    this.#requests = metrics.counter({
      name: `${prefix}_request_total`,
      help: 'Calls of admission webhooks, by how they were answered',
      labels: ['name', 'type', 'operation', 'code', 'rejected'],
    })
  }

  observe({ name, type, operation, duration, isIgnored, error }: WebhookCallMeasurement): void {
    const { errorType, code } = meaningOf(error)
    const isRejected = error !== undefined && !(isIgnored && error instanceof WebhookCallError)
    const common = { name, type, operation }
    const rejected = String(isRejected)
    const counted = String(Math.min(code, maxCode))
    if (isRejected) this.#rejections.inc({ ...common, error_type: errorType, rejection_code: counted })
    this.#requests.inc({ ...common, code: counted, rejected })
    this.#durations.observe({ ...common, rejected }, duration)
  }

  failedOpen(name: string, type: WebhookType): void {
    this.#opened.inc({ name, type })
  }
}

function meaningOf(error: unknown): { readonly errorType: string; readonly code: number } {
  if (error === undefined) return { errorType: '', code: 200 }
  if (error instanceof WebhookCallError) return { errorType: 'calling_webhook_error', code: error.code }
  if (error instanceof WebhookDenial) return { errorType: 'no_error', code: error.rejection.code }
  return { errorType: 'apiserver_internal_error', code: 0 }
}
