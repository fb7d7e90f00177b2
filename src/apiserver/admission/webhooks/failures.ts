import { ApiError, badRequest, internalError, timeout } from '../../../api/errors.js'
import type { Status } from '../../../api/meta/v1/status.js'
import type { Clock } from '../../../base/clock.js'
import { quote } from '../../../schema/quote.js'
import type { AdmissionRequest } from '../admission.js'

/** A webhook could not be asked, or made no sense. Its failure policy says what that means. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  /** As metrics count it. */
  readonly code: number

  constructor(webhook: string, why: string, code: number) {
    super(`failed calling webhook ${quote(webhook)}: ${why}`)
    this.code = code
  }

  /** The end of the request, where such a failure is one. */
  refusal(): ApiError {
    return internalError(this.message)
  }
}

/** A webhook said no. */
export class Denial extends Error {
  override readonly name = 'Denial'
  readonly refusal: ApiError

  constructor(refusal: ApiError) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** In the words of the webhook, and with its name before them. Whatever it says, a no is no success. */
export function denial(webhook: string, result: Partial<Status> = {}): Denial {
  const { metadata = {}, status = '', message = '', reason = '', details, code = 0 } = result
  const explanation = message || reason
  const by = `admission webhook ${quote(webhook)} denied the request`
  return new Denial(
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

/** Who only tries something out must not set anything in motion. */
export function dryRunUnsupported(webhook: string): ApiError {
  return badRequest(`admission webhook ${quote(webhook)} does not support dry run`)
}

/** Throws if the client has gone, or its deadline has passed: then no further webhook is called. */
export function checkDeadline({ context }: AdmissionRequest, clock: Clock): void {
  if (!context) return
  const isLate = context.deadline !== undefined && context.deadline <= clock.now()
  if (isLate || context.request.signal.aborted) throw timeout('request did not complete within requested timeout', 0)
}
