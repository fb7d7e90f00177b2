/** The operation is not possible now and is retried after `delay` milliseconds. An event was already recorded. */
export class RetryLaterError extends Error {
  override readonly name = 'Later'
  readonly delay: number

  constructor(message: string, delay: number, options?: ErrorOptions) {
    super(message, options)
    this.delay = delay
  }
}
