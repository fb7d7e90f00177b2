/** A container cannot start now. Reason and message appear in its `waiting` state. */
export class ContainerError extends Error {
  override readonly name = 'ContainerError'
  /** `CreateContainerConfigError`, `CreateContainerError`, `RunContainerError`, `ErrImagePull` … */
  readonly reason: string

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
