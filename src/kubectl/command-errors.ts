import { ApiError, hasReason } from '../api/errors.js'
import type { StatusCause } from '../api/meta/v1/status.js'
import { ConfigurationError } from '../client/kubeconfig/configuration-error.js'
import { quote } from '../schema/quote.js'
import { UnreachableError } from './factory/unreachable-error.js'

/** The arguments of a command are wrong. The message refers to the help. */
export class CommandUsageError extends Error {
  override readonly name = 'CommandUsageError'

  constructor(path: string, message: string) {
    super(`${message}\nSee '${path} -h' for help and examples`)
  }
}

/** An error whose message is printed without a prefix. */
export class PlainMessageError extends Error {
  override readonly name = 'PlainMessageError'
}

/** Ends kubectl with this exit code and no message. */
export class ExitCodeError extends Error {
  override readonly name = 'ExitCodeError'
  readonly code: number

  constructor(code: number) {
    super(`exit status ${code}`)
    this.code = code
  }
}

/** Several errors, after everything else has been done. */
export class AggregatedError extends Error {
  override readonly name = 'AggregatedError'
  readonly errors: readonly unknown[]

  constructor(errors: readonly unknown[]) {
    super(errors.map(errorMessage).join(', '))
    this.errors = errors
  }
}

/** Throws a single error as it is, and several as an `AggregatedError`. Does nothing without errors. */
export function throwAll(errors: readonly unknown[]): void {
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregatedError(errors)
}

/** An error of the server with the operation that failed: `error when creating "web.yaml": …`. */
export class ContextError extends Error {
  override readonly name = 'ContextError'
  override readonly cause: unknown
  readonly context: string

  constructor(context: string, cause: unknown) {
    super(`${context}: ${errorMessage(cause)}`)
    this.context = context
    this.cause = cause
  }
}

/** Returns the text for standard error in upstream's words, without the final line break. */
export function errorText(error: unknown): string {
  const known = knownErrorText(error)
  if (known !== undefined) return known
  const text = errorMessage(error)
  return text.startsWith('error: ') || text.startsWith('Error: ') ? text : `error: ${text}`
}

function knownErrorText(error: unknown): string | undefined {
  if (error instanceof ContextError) return contextErrorText(error)
  if (hasReason(error, 'Invalid')) return invalidErrorText(error)
  if (error instanceof AggregatedError) return error.errors.map((each) => partText(each)).join('\n')
  if (error instanceof ConfigurationError) return severalLines('Error in configuration: ', error.problems)
  return standardMessage(error)
}

/** The message of an error of the server or of the connection. */
function standardMessage(error: unknown): string | undefined {
  if (hasReason(error, 'Unauthorized')) return `error: You must be logged in to the server (${error.message})`
  if (error instanceof ApiError) return `Error from server${inBrackets(error.reason)}: ${error.message}`
  return error instanceof UnreachableError || error instanceof PlainMessageError ? error.message : undefined
}

function inBrackets(reason: string): string {
  return reason === '' ? '' : ` (${reason})`
}

/** The text of one error among several. */
function partText(error: unknown): string {
  return standardMessage(innermost(error)) && !(error instanceof ContextError)
    ? standardMessage(error)!
    : (knownErrorText(error) ?? errorMessage(error))
}

function innermost(error: unknown): unknown {
  return error instanceof ContextError ? innermost(error.cause) : error
}

/** Keeps the server's reason in front, then the failed operation, then the server's message. */
function contextErrorText(error: ContextError): string {
  const inner = innermost(error)
  if (hasReason(inner, 'Invalid')) return invalidErrorText(inner)
  if (!(inner instanceof ApiError)) return plainErrorText(error)
  return `Error from server${inBrackets(inner.reason)}: ${error.message}`
}

function plainErrorText({ message: text }: ContextError): string {
  return text.startsWith('error: ') ? text : `error: ${text}`
}

function invalidErrorText(error: ApiError): string {
  const { details, message: text = '' } = error.status()
  if (!details) return 'The request is invalid'
  const { kind = '', name = '', causes = [] } = details
  const subject = kind !== '' || name !== '' ? `The ${kind} ${quote(name)} is invalid` : 'The request is invalid'
  if (causes.length > 0) return severalLines(`${subject}: `, causesOf(causes))
  return subject === 'The request is invalid' && text !== '' ? `${subject}: ${text}` : subject
}

function causesOf(causes: readonly StatusCause[]): readonly string[] {
  return [...new Set(causes.map(({ field = '', message: text = '' }) => `${field}: ${text}`))]
}

function severalLines(prefix: string, lines: readonly string[]): string {
  if (lines.length === 1) return `${prefix}${lines[0]}`
  return [prefix, ...lines.map((line) => `* ${line}`)].join('\n')
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
