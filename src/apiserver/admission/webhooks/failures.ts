import { ApiError, badRequest, internalError, timeout } from '../../../api/errors.js'
import type { Status } from '../../../api/meta/v1/status.js'
import type { Clock } from '../../../base/clock.js'
import { quote } from '../../../schema/quote.js'
import type { AdmissionRequest } from '../admission.js'

/** A webhook could not be called, or its response is invalid. The failure policy decides what follows. */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError'
  /** The code in metrics. */
  readonly code: number

  constructor(webhook: string, why: string, code: number) {
    super(`failed calling webhook ${quote(webhook)}: ${why}`)
    this.code = code
  }

  /** Returns the error of the request, if the failure policy is `Fail`. */
  rejection(): ApiError {
    return internalError(this.message)
  }
}

/** A webhook denied the request. */
export class WebhookDenial extends Error {
  override readonly name = 'WebhookDenial'
  readonly rejection: ApiError

  constructor(rejection: ApiError) {
    super(rejection.message)
    this.rejection = rejection
  }
}

/** Returns the denial with the webhook's name and message. Its status is never a success. */
export function webhookDenial(webhook: string, result: Partial<Status> = {}): WebhookDenial {
  const { metadata = {}, status = '', message = '', reason = '', details, code = 0 } = result
  const explanation = message || reason
  const by = `admission webhook ${quote(webhook)} denied the request`
  return new WebhookDenial(
    new ApiError({
      kind: 'Status',
      apiVersion: 'v1',
      metadata,
      status: status === '' || status === 'Success' ? 'Failure' : status,
      message: explanation === '' ? `${by} without explanation` : `${by}: ${explanation}`,
      ...(reason !== '' && { reason }),
      ...(details && { details }),
      code: Math.max(code, 400),
    } as Status),
  )
}

/** Returns the error for a dry run that a webhook with side effects cannot take part in. */
export function dryRunUnsupported(webhook: string): ApiError {
  return badRequest(`admission webhook ${quote(webhook)} does not support dry run`)
}

/** Throws if the client has gone, or its deadline has passed: then no further webhook is called. */
export function checkDeadline({ context }: AdmissionRequest, clock: Clock): void {
  if (!context) return
  const isLate = context.deadline !== undefined && context.deadline <= clock.monotonic()
  if (isLate || context.request.signal.aborted) throw timeout('request did not complete within requested timeout', 0)
}
