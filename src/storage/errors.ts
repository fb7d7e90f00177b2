/** All errors of a store. The message is for people; callers distinguish errors by class. */
export abstract class StorageError extends Error {
  override get name(): string {
    return this.constructor.name
  }
}

/** The requested revision was compacted. */
export class CompactedError extends StorageError {
  /** The oldest revision that can still be read. */
  readonly oldest: number

  constructor(revision: number, oldest: number) {
    super(`revision ${revision} has been compacted; the oldest kept revision is ${oldest}`)
    this.oldest = oldest
  }
}

/** The requested revision does not exist yet. */
export class FutureRevisionError extends StorageError {
  constructor(revision: number, current: number) {
    super(`revision ${revision} is in the future; the store is at revision ${current}`)
  }
}

/** A key, value, lease or transaction that every store rejects: a mistake of the caller. */
export class InvalidRequestError extends StorageError {}

/** The value is larger than the limit of the store. */
export class TooLargeError extends InvalidRequestError {
  constructor(key: string, bytes: number, maximum: number) {
    super(`value of ${key} has ${bytes} bytes; at most ${maximum} are allowed`)
  }
}

export class LeaseNotFoundError extends StorageError {
  constructor(id: string) {
    super(`lease ${id} does not exist or has expired`)
  }
}

/** The disk is full. Nothing was written; reads continue, and writes succeed again when there is space. */
export class NoSpaceError extends StorageError {}

/** The store cannot be reached, or did not respond in time. A write may or may not have taken effect. */
export class UnavailableError extends StorageError {}

/** The files are damaged, have another format, or are in use by another process. Nothing was changed. */
export class UnusableStoreError extends StorageError {}

export class ClosedError extends StorageError {
  constructor() {
    super('the store is closed')
  }
}
