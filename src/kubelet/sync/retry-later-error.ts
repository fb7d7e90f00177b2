/** It cannot be done now, and people know why; it is tried again after so many milliseconds. */
export class RetryLaterError extends Error {
  override readonly name = 'Later'
  readonly delay: number

  constructor(message: string, delay: number, options?: ErrorOptions) {
    super(message, options)
    this.delay = delay
  }
}
