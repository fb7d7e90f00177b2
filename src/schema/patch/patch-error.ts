/** Classifies a failed patch; decides the response. */
export type PatchFailure =
  /** Not a patch of its type: a bad request. */
  | 'malformed'
  /** Too many operations: the request entity is too large. */
  | 'tooLarge'
  /** A valid patch that cannot be applied to this object: unprocessable, without a reason for the client. */
  | 'inapplicable'
  /** Contradicts the types of the object: upstream responds with an internal error. */
  | 'unmergeable'
  /** Another client has changed the same fields to other values. */
  | 'conflict'

export class PatchError extends Error {
  override readonly name = 'PatchError'
  readonly failure: PatchFailure

  constructor(failure: PatchFailure, message: string) {
    super(message)
    this.failure = failure
  }
}
