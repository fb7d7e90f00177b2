import { status } from '@grpc/grpc-js'

/** Why etcd rejected a request. */
export type RejectionReason = 'compacted' | 'future' | 'lease' | 'space' | 'large' | 'invalid'

/** etcd rejected the request: nothing was changed, and a retry, or another member, would not help. */
export class RejectedCallError extends Error {
  readonly reason: RejectionReason

  constructor(reason: RejectionReason, details: string) {
    super(details)
    this.reason = reason
  }
}

/** There was no response. */
export class FailedCallError extends Error {
  /** Whether the request may have taken effect. If not, a write can be sent again. */
  readonly mayHaveHappened: boolean

  constructor(details: string, mayHaveHappened: boolean) {
    super(details)
    this.mayHaveHappened = mayHaveHappened
  }
}

const rejections: readonly [code: status, details: RegExp, reason: RejectionReason][] = [
  [status.OUT_OF_RANGE, /has been compacted/, 'compacted'],
  [status.OUT_OF_RANGE, /future revision/, 'future'],
  [status.NOT_FOUND, /lease not found/, 'lease'],
  [status.RESOURCE_EXHAUSTED, /database space exceeded/, 'space'],
  [status.RESOURCE_EXHAUSTED, /larger than max/, 'large'],
  [status.INVALID_ARGUMENT, /request is too large/, 'large'],
  [status.INVALID_ARGUMENT, /(?:)/, 'invalid'],
]

/** Errors of a member that has not forwarded the request: it never takes effect. */
const notBegun = /no leader|too many requests|not capable|not supported for learner/

export function callErrorFrom({
  code,
  details,
}: {
  readonly code: status
  readonly details: string
}): RejectedCallError | FailedCallError {
  const rejection = rejections.find(([rejected, pattern]) => code === rejected && pattern.test(details))
  if (rejection) return new RejectedCallError(rejection[2], details)
  return new FailedCallError(details || `gRPC status ${status[code]}`, !notBegun.test(details))
}
