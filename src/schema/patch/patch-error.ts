/** What a failed patch means to whoever sent it. */
export type PatchFailure =
  /** It is no patch of its kind: a bad request. */
  | 'malformed'
  /** It has more operations than anyone may send: the request entity is too large. */
  | 'tooLarge'
  /** It is a patch, but does not apply to this object: unprocessable. Clients are not told why. */
  | 'inapplicable'
  /** It contradicts the types of what it patches, in a way for which clients know nothing better than an internal error. */
  | 'unmergeable'
  /** Somebody else has changed the same fields to other values. */
  | 'conflict'

export class PatchError extends Error {
  override readonly name = 'PatchError'
  readonly failure: PatchFailure

  constructor(failure: PatchFailure, message: string) {
    super(message)
    this.failure = failure
  }
}
