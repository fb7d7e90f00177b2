/**
 * What can be wrong with a field, in the words that clients know. Import the whole of it under a name, so that it reads as a
 * sentence: `import * as field from '…/field-errors.js'`, then `field.required(path)`, `field.invalid(path, value, why)`.
 */
import type { FieldPath } from './field-path.js'
import { quote } from './quote.js'

/** Each type of error: its reason among the causes of a status, and what its message begins with. */
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

/** Stands for a value that is not shown. */
export const omitted: unique symbol = Symbol('omitted')

/** One thing that is wrong with one field. It is collected, not thrown: an answer names everything that is wrong. */
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

/** `value` is shown; undefined shows as null, `omitted` not at all. */
export function invalid(path: FieldPath, value: unknown, detail: string): FieldError {
  return new FieldError('FieldValueInvalid', path, value, detail)
}

/** What good values have. Shared, so that looking at a good object allocates nothing. */
export const none: readonly FieldError[] = []

/** One error for each message, as the rules in `names.ts` return them. */
export function invalidForEach(path: FieldPath, value: unknown, messages: readonly string[]): readonly FieldError[] {
  return messages.length === 0 ? none : messages.map((message) => invalid(path, value, message))
}

/** The value is not of the type that its field has. */
export function typeInvalid(path: FieldPath, value: unknown, detail: string): FieldError {
  return new FieldError('FieldValueTypeInvalid', path, value, detail)
}

/** `supported` is shown in the order given. Kubernetes is not of one mind here: sets are sorted, lists are not. */
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

/** `unit` is what `maximum` counts. A text that is too long is not shown. */
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

/** Something went wrong that is no fault of the value. */
export function internalError(path: FieldPath, message: string): FieldError {
  return new FieldError('InternalError', path, omitted, message)
}

function counted(count: number, unit: string): string {
  return `${count} ${count === 1 ? unit : `${unit}s`}`
}

/** Several messages as one: each once, in brackets if there is more than one. */
export function aggregateMessages(messages: Iterable<string>): string {
  const distinct = [...new Set(messages)]
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]`
}

/** A value as messages show it: strings quoted, everything else as JSON. */
function renderedValue(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return renderedNumber(value)
  return escapedJson(JSON.stringify(value ?? null))
}

/** Small fractions have an exponent of two digits: `1e-05`. */
function renderedNumber(value: number): string {
  if (value === 0 || Math.abs(value) >= 1e-4) return String(value)
  return value.toExponential().replace(/e-(\d)$/, 'e-0$1')
}

/** Characters that would mean something in HTML or JavaScript are escaped, as in every JSON that Kubernetes makes. */
function escapedJson(text: string): string {
  return text.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
