import { status } from '@grpc/grpc-js'

/** What etcd answers when it understood a request and will not do it. */
export type RejectionReason = 'compacted' | 'future' | 'lease' | 'space' | 'large' | 'invalid'

/** A definite answer: nothing was changed, and asking again, or asking another member, would not help. */
export class RejectedCallError extends Error {
  readonly reason: RejectionReason

  constructor(reason: RejectionReason, details: string) {
    super(details)
    this.reason = reason
  }
}

/** No answer. */
export class FailedCallError extends Error {
  /** Whether etcd may have done what was asked. If not, a write can be asked for again. */
  readonly mayHaveHappened: boolean

  constructor(details: string, mayHaveHappened: boolean) {
    super(details)
    this.mayHaveHappened = mayHaveHappened
  }
}

const refusals: readonly [code: status, details: RegExp, reason: RejectionReason][] = [
  [status.OUT_OF_RANGE, /has been compacted/, 'compacted'],
  [status.OUT_OF_RANGE, /future revision/, 'future'],
  [status.NOT_FOUND, /lease not found/, 'lease'],
  [status.RESOURCE_EXHAUSTED, /database space exceeded/, 'space'],
  [status.RESOURCE_EXHAUSTED, /larger than max/, 'large'],
  [status.INVALID_ARGUMENT, /request is too large/, 'large'],
  [status.INVALID_ARGUMENT, /(?:)/, 'invalid'],
]

/** What a member says before it has passed a request on: of such a request nothing ever happens. */
const notBegun = /no leader|too many requests|not capable|not supported for learner/

export function callErrorFrom({
  code,
  details,
}: {
  readonly code: status
  readonly details: string
}): RejectedCallError | FailedCallError {
  const refusal = refusals.find(([refused, pattern]) => code === refused && pattern.test(details))
  if (refusal) return new RejectedCallError(refusal[2], details)
  return new FailedCallError(details || `gRPC status ${status[code]}`, !notBegun.test(details))
}
