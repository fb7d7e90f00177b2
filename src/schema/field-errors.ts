/**
 * Validation errors of fields, with upstream's messages. Import the module as a namespace: `import * as field from '…/field-errors.js'`,
 * then `field.required(path)`, `field.invalid(path, value, why)`.
 */
import type { FieldPath } from './field-path.js'
import { quote } from './quote.js'

/** By reason, as it appears in the causes of a `Status`: the beginning of the message. */
const titles = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooShort: 'Too short',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
} as const

export type FieldErrorReason = keyof typeof titles

/** In place of a value that the message must not contain. */
export const omitted: unique symbol = Symbol('omitted')

/** One problem of one field. Errors are collected, not thrown, because a response lists all of them. */
export class FieldError {
  readonly reason: FieldErrorReason
  readonly field: string
  readonly value: unknown
  readonly detail: string

  constructor(reason: FieldErrorReason, path: FieldPath, value: unknown, detail: string) {
    this.reason = reason
    this.field = path.toString()
    this.value = value
    this.detail = detail
  }

  /** `Invalid value: "x": must be …`: what a status says about the field, which it names beside it. */
  get body(): string {
    const shown = this.value === omitted ? '' : `: ${renderedValue(this.value)}`
    return `${titles[this.reason]}${shown}${this.detail === '' ? '' : `: ${this.detail}`}`
  }

  /** `spec.replicas: Invalid value: -1: must be …` */
  toString(): string {
    return `${this.field}: ${this.body}`
  }
}

export function required(path: FieldPath, detail = ''): FieldError {
  return new FieldError('FieldValueRequired', path, omitted, detail)
}

/** The message contains `value`: undefined as null, `omitted` not at all. */
export function invalid(path: FieldPath, value: unknown, detail: string): FieldError {
  return new FieldError('FieldValueInvalid', path, value, detail)
}

/** The result for valid values. Shared, so that validation of a valid object allocates nothing. */
export const none: readonly FieldError[] = []

/** Returns one error for each message of a function in `names.ts`. */
export function invalidForEach(path: FieldPath, value: unknown, messages: readonly string[]): readonly FieldError[] {
  return messages.length === 0 ? none : messages.map((message) => invalid(path, value, message))
}

/** The value has another type than its field. */
export function typeInvalid(path: FieldPath, value: unknown, detail: string): FieldError {
  return new FieldError('FieldValueTypeInvalid', path, value, detail)
}

/** The message lists `supported` in the given order. Upstream sorts it for some fields only. */
export function notSupported(path: FieldPath, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(quote).join(', ')}`
  return new FieldError('FieldValueNotSupported', path, value, detail)
}

export function forbidden(path: FieldPath, detail: string): FieldError {
  return new FieldError('FieldValueForbidden', path, omitted, detail)
}

export function duplicate(path: FieldPath, value: unknown, detail = ''): FieldError {
  return new FieldError('FieldValueDuplicate', path, value, detail)
}

export function notFound(path: FieldPath, value: unknown): FieldError {
  return new FieldError('FieldValueNotFound', path, value, '')
}

/** `unit` is the unit of `maximum`. The message does not contain the text. */
export function tooLong(path: FieldPath, maximum: number, unit: 'byte' | 'character' = 'byte'): FieldError {
  return new FieldError('FieldValueTooLong', path, omitted, `may not be more than ${counted(maximum, unit)}`)
}

export function tooShort(path: FieldPath, minimum: number): FieldError {
  return new FieldError('FieldValueTooShort', path, omitted, `must be at least ${counted(minimum, 'character')}`)
}

export function tooMany(path: FieldPath, actual: number, maximum: number): FieldError {
  return new FieldError('FieldValueTooMany', path, actual, `must have at most ${counted(maximum, 'item')}`)
}

export function tooFew(path: FieldPath, actual: number, minimum: number): FieldError {
  return new FieldError('FieldValueTooFew', path, actual, `must have at least ${counted(minimum, 'item')}`)
}

/** Validation itself failed; the value may be valid. */
export function internalError(path: FieldPath, message: string): FieldError {
  return new FieldError('InternalError', path, omitted, message)
}

function counted(count: number, unit: string): string {
  return `${count} ${count === 1 ? unit : `${unit}s`}`
}

/** Joins distinct messages, in brackets if there is more than one. */
export function aggregateMessages(messages: Iterable<string>): string {
  const distinct = [...new Set(messages)]
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]`
}

/** Formats a value for a message: strings quoted, everything else as JSON. */
function renderedValue(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return renderedNumber(value)
  return escapedJson(JSON.stringify(value ?? null))
}

/** Formats small fractions with an exponent of two digits, as Go does: `1e-05`. */
function renderedNumber(value: number): string {
  if (value === 0 || Math.abs(value) >= 1e-4) return String(value)
  return value.toExponential().replace(/e-(\d)$/, 'e-0$1')
}

/** Escapes characters that are special in HTML or JavaScript, as Go's JSON encoder does. */
function escapedJson(text: string): string {
  return text.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
