/** Builds the `Status` of a failure. */
import { quote } from '../schema/quote.js'
import type { Status, StatusCause, StatusDetails } from './meta/v1/status.js'

/** A resource in messages: `deployments.apps`. The core group has no name. */
export interface GroupResource {
  readonly group: string
  readonly resource: string
}

/** A kind in messages: `Deployment.apps`. */
export interface GroupKind {
  readonly group: string
  readonly kind: string
}

export function qualified(subject: GroupResource | GroupKind): string {
  return subject.group === '' ? typeOf(subject) : `${typeOf(subject)}.${subject.group}`
}

export function named(subject: GroupResource | GroupKind, name: string): string {
  return `${qualified(subject)} ${quote(name)}`
}

function typeOf(subject: GroupResource | GroupKind): string {
  return 'resource' in subject ? subject.resource : subject.kind
}

/** A cause of a failure, without empty members. */
export function cause(reason: string, message: string, field = ''): StatusCause {
  return {
    ...(reason !== '' && { reason }),
    ...(message !== '' && { message }),
    ...(field !== '' && { field }),
  }
}

interface Extra {
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

/** The details of a failure in canonical order, without empty members. */
export function detailsOf(
  subject: GroupResource | GroupKind | undefined,
  name: string,
  { causes = [], retryAfterSeconds = 0 }: Extra = {},
): StatusDetails {
  return {
    ...(name !== '' && { name }),
    ...(subject && subject.group !== '' && { group: subject.group }),
    ...(subject && typeOf(subject) !== '' && { kind: typeOf(subject) }),
    ...(causes.length > 0 && { causes }),
    ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
  }
}

interface StatusParts {
  readonly message: string
  readonly reason?: string
  readonly details?: StatusDetails | undefined
  readonly code: number
}

export function failureStatus({ message, reason, details, code }: StatusParts): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    ...(message !== '' && { message }),
    ...(reason && { reason }),
    ...(details && { details }),
    code,
  }
}
