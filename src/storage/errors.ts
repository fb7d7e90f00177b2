/** Everything that can go wrong in a store. The message is for people; callers tell errors apart by class. */
export abstract class StorageError extends Error {
  override get name(): string {
    return this.constructor.name
  }
}

/** The revision asked for is no longer kept. */
export class CompactedError extends StorageError {
  /** The oldest revision that can still be read. */
  readonly oldest: number

  constructor(revision: number, oldest: number) {
    super(`revision ${revision} has been compacted; the oldest kept revision is ${oldest}`)
    this.oldest = oldest
  }
}

/** The revision asked for has not happened yet. */
export class FutureRevisionError extends StorageError {
  constructor(revision: number, current: number) {
    super(`revision ${revision} is in the future; the store is at revision ${current}`)
  }
}

/** A key, value, lease or transaction that no store takes: the caller's mistake. */
export class InvalidRequestError extends StorageError {}

/** The value is larger than the store takes. */
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

/** The disk is full. Nothing was written; reads go on, and writes work again once there is room. */
export class NoSpaceError extends StorageError {}

/** The store cannot be reached, or did not answer in time. A write may or may not have happened. */
export class UnavailableError extends StorageError {}

/** The files are not what they should be: damaged, written by something else, or held by another process. Nothing was touched. */
export class UnusableStoreError extends StorageError {}

export class ClosedError extends StorageError {
  constructor() {
    super('the store is closed')
  }
}
