import type { status } from '@grpc/grpc-js'

/** The names of gRPC's status codes in Kubernetes' messages; the index is the code. */
const codes = [
  'OK',
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
  'DataLoss',
  'Unauthenticated',
] as const

export type CriErrorCode = (typeof codes)[number]

/**
 * A call failed, in the runtime or on the way to it. The message is what Kubernetes shows in events and conditions;
 * `description` is the runtime's own message.
 */
export class CriError extends Error {
  override name = 'CriError'
  readonly code: CriErrorCode
  readonly description: string

  constructor(code: CriErrorCode, description: string) {
    super(`rpc error: code = ${code} desc = ${description}`)
    this.code = code
    this.description = description
  }

  static fromGrpc({ code, details }: { readonly code: number; readonly details: string }): CriError {
    return new CriError(codes[code] ?? 'Unknown', details)
  }

  get status(): status {
    return codes.indexOf(this.code) as status
  }
}

export function isCriError(error: unknown, code: CriErrorCode): error is CriError {
  return error instanceof CriError && error.code === code
}
