/**
 * The catalogue of API errors. Each function creates an error for the caller to throw. Reason, code, message and details are exactly
 * upstream's, because clients depend on them.
 */
import { aggregateMessages, type FieldError } from '../schema/field-errors.js'
import { quote } from '../schema/quote.js'
import { cause, detailsOf, failureStatus, type GroupKind, type GroupResource, named, qualified } from './failure.js'
import type { Status, StatusCause, StatusDetails } from './meta/v1/status.js'

/** HTTP status codes by reason. */
export const statusCodes = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServerTimeout: 500,
  StorageReadError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
} as const

export type ApiErrorReason = keyof typeof statusCodes

/** A failed request. The server throws it and sends its `Status`; the client throws it for the `Status` that it receives. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly #status: Status

  constructor(status: Status) {
    super(status.message ?? '')
    this.#status = status
  }

  /** The `Status` that is sent. */
  status(): Status {
    return this.#status
  }

  get reason(): string {
    return this.#status.reason ?? ''
  }

  get code(): number {
    return this.#status.code ?? 0
  }

  /** How long the client should wait before it retries. */
  get retryAfterSeconds(): number | undefined {
    return this.#status.details?.retryAfterSeconds
  }
}

/** Whether `error` has that reason, or no known reason but the code of that reason. */
export function hasReason(error: unknown, reason: ApiErrorReason): error is ApiError {
  if (!(error instanceof ApiError)) return false
  return error.reason === reason || (!Object.hasOwn(statusCodes, error.reason) && error.code === statusCodes[reason])
}

export function notFound(resource: GroupResource, name: string): ApiError {
  return failure('NotFound', `${named(resource, name)} not found`, detailsOf(resource, name))
}

export function alreadyExists(resource: GroupResource, name: string): ApiError {
  return failure('AlreadyExists', `${named(resource, name)} already exists`, detailsOf(resource, name))
}

/** An object of that name is being deleted, and still exists. */
export function stillBeingDeleted(resource: GroupResource, name: string): ApiError {
  return failure(
    'AlreadyExists',
    `object is being deleted: ${named(resource, name)} already exists`,
    detailsOf(resource, name),
  )
}

/** All generated names already exist. */
export function generateNameConflict(resource: GroupResource, name: string, retryAfterSeconds: number): ApiError {
  const message = `${named(resource, name)} already exists, the server was not able to generate a unique name for the object`
  return failure('AlreadyExists', message, detailsOf(resource, name, { retryAfterSeconds }))
}

export function unauthorized(message = 'Unauthorized'): ApiError {
  return failure('Unauthorized', message)
}

/** `resource` is undefined for paths outside resources, `name` is empty for collections. */
export function forbidden(
  resource: GroupResource | undefined,
  name: string,
  why: string,
  causes: readonly StatusCause[] = [],
): ApiError {
  if (!resource) return failure('Forbidden', `forbidden: ${why}`, detailsOf(undefined, '', { causes }))
  const subject = name === '' ? qualified(resource) : named(resource, name)
  return failure('Forbidden', `${subject} is forbidden: ${why}`, detailsOf(resource, name, { causes }))
}

/** `subject` is the resource, or the kind if the strategy of a kind rejects the request. */
export function conflict(subject: GroupResource | GroupKind, name: string, why: string): ApiError {
  return failure(
    'Conflict',
    `Operation cannot be fulfilled on ${named(subject, name)}: ${why}`,
    detailsOf(subject, name),
  )
}

/** Another client has written the object since it was read. */
export function objectModified(resource: GroupResource, name: string): ApiError {
  return conflict(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  )
}

/** Other managers own fields that an apply would change. */
export function applyConflict(message: string, causes: readonly StatusCause[]): ApiError {
  return failure('Conflict', message, detailsOf(undefined, '', { causes }))
}

export function gone(message: string): ApiError {
  return failure('Gone', message)
}

/** The requested revision has been compacted. */
export function expired(message: string): ApiError {
  return failure('Expired', message)
}

/** The object is invalid. Each field error is part of the message and a cause. */
export function invalid(kind: GroupKind, name: string, errors: readonly FieldError[]): ApiError {
  const causes = errors.map((error) => cause(error.reason, error.body, error.field))
  const why = errors.length === 0 ? '' : `: ${aggregateMessages(errors.map(String))}`
  return failure('Invalid', `${named(kind, name)} is invalid${why}`, detailsOf(kind, name, { causes }))
}

export function badRequest(message: string): ApiError {
  return failure('BadRequest', message)
}

export function methodNotAllowed(resource: GroupResource, action: string): ApiError {
  const message = `${action} is not supported on resources of kind ${quote(qualified(resource))}`
  return failure('MethodNotAllowed', message, detailsOf(resource, ''))
}

export function notAcceptable(message: string): ApiError {
  return failure('NotAcceptable', message)
}

/** The client accepts none of the available media types. */
export function noAcceptedMediaType(available: readonly string[]): ApiError {
  return notAcceptable(`only the following media types are accepted: ${available.join(', ')}`)
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const list = accepted.join(', ')
  return failure(
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${list}`,
  )
}

export function requestEntityTooLarge(message: string): ApiError {
  return failure('RequestEntityTooLarge', `Request entity too large: ${message}`)
}

export function tooManyRequests(
  message: string,
  retryAfterSeconds: number,
  causes: readonly StatusCause[] = [],
): ApiError {
  return failure('TooManyRequests', message, detailsOf(undefined, '', { causes, retryAfterSeconds }))
}

/** Too many requests, without a time for the retry. */
export function rateExceeded(message: string): ApiError {
  return failure('TooManyRequests', `Too many requests: ${message}`)
}

export function serviceUnavailable(message: string): ApiError {
  return failure('ServiceUnavailable', message)
}

/** The server could not complete the request now; the client should retry. */
export function serverTimeout(resource: GroupResource, operation: string, retryAfterSeconds: number): ApiError {
  const message = `The ${operation} operation against ${qualified(resource)} could not be completed at this time, please try again.`
  return failure('ServerTimeout', message, detailsOf(resource, operation, { retryAfterSeconds }))
}

/** The request timed out; whether it took effect is unknown. */
export function timeout(message: string, retryAfterSeconds: number, causes: readonly StatusCause[] = []): ApiError {
  return failure('Timeout', `Timeout: ${message}`, detailsOf(undefined, '', { causes, retryAfterSeconds }))
}

/** The requested revision has not been written yet. */
export function resourceVersionTooLarge(asked: string, current: string): ApiError {
  const causes = [cause('ResourceVersionTooLarge', 'Too large resource version')]
  return timeout(`Too large resource version: ${asked}, current: ${current}`, 1, causes)
}

export function internalError(message: string): ApiError {
  return failure(
    'InternalError',
    `Internal error occurred: ${message}`,
    detailsOf(undefined, '', { causes: [cause('', message)] }),
  )
}

/** Any other error: code 500 without a reason. */
export function unknown(message: string): ApiError {
  return new ApiError(failureStatus({ code: 500, message }))
}

/** The same error with another reason, which admission policies may choose. */
export function withReason(error: ApiError, reason: ApiErrorReason): ApiError {
  return new ApiError({ ...error.status(), reason, code: statusCodes[reason] })
}

function failure(reason: ApiErrorReason, message: string, details?: StatusDetails): ApiError {
  return new ApiError(failureStatus({ reason, code: statusCodes[reason], message, details }))
}
