/**
 * Validates names. Each function returns upstream's messages about a name; an empty list means that it is valid.
 */
import type { FieldError } from './field-errors.js'
import * as field from './field-errors.js'
import type { FieldPath } from './field-path.js'

/** Error messages; empty for a valid value. */
export type Messages = readonly string[]

export const noMessages: Messages = []

/** `maximum` counts bytes of UTF-8, although some of upstream's messages call them characters. */
export function tooLongMessages(value: string, maximum: number, unit: 'bytes' | 'characters'): Messages {
  return hasMoreBytes(value, maximum) ? [`must be no more than ${maximum} ${unit}`] : noMessages
}

function hasMoreBytes(value: string, maximum: number): boolean {
  return value.length > maximum || (value.length * 3 > maximum && Buffer.byteLength(value) > maximum)
}

/** A regular expression, with the message for text that does not match: words, examples, and the expression itself. */
export interface Pattern {
  readonly expression: RegExp
  readonly message: string
}

export function pattern(source: string, words: string, ...examples: readonly string[]): Pattern {
  const shown = examples.map((example) => `'${example}', `).join(' or ')
  const hint = examples.length > 0 ? `e.g. ${shown}` : ''
  return {
    expression: new RegExp(`^${source}$`),
    message: `${words} (${hint}regex used for validation is '${source}')`,
  }
}

export function mismatch(value: string, { expression, message }: Pattern): Messages {
  return expression.test(value) ? noMessages : [message]
}

/** Concatenates messages. Allocates nothing for a valid name. */
export function both(first: Messages, second: Messages): Messages {
  if (first.length === 0) return second
  return second.length === 0 ? first : [...first, ...second]
}

const labelSource = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
export const subdomainSource = `${labelSource}(\\.${labelSource})*`

const label = pattern(
  labelSource,
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  'my-name',
  '123-abc',
)
const subdomain = pattern(
  subdomainSource,
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  'example.com',
)
const dns1035 = pattern(
  '[a-z]([-a-z0-9]*[a-z0-9])?',
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  'my-name',
  'abc-123',
)
const wildcard = pattern(
  `\\*\\.${subdomainSource}`,
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  '*.example.com',
)
const underscoreLabel = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const underscoreSubdomain = pattern(
  `${underscoreLabel}(\\.${underscoreLabel})*`,
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  'example.com',
)

const labelLength = 63
const subdomainLength = 253

/** A name of one part: `web-1`. */
export function dnsLabel(value: string): Messages {
  return both(tooLongMessages(value, labelLength, 'characters'), labelMismatch(value))
}

/** A DNS label whose length counts in bytes: the form that upstream declares with a type. */
export function shortName(value: string): Messages {
  return both(tooLongMessages(value, labelLength, 'bytes'), labelMismatch(value))
}

function labelMismatch(value: string): Messages {
  if (label.expression.test(value)) return noMessages
  return subdomain.expression.test(value) ? ['must not contain dots'] : [label.message]
}

/** A name of parts with dots between them: `web.example.com`. */
export function dnsSubdomain(value: string): Messages {
  return both(tooLongMessages(value, subdomainLength, 'characters'), mismatch(value, subdomain))
}

/** A DNS subdomain whose length counts in bytes: the form that upstream declares with a type. */
export function longName(value: string): Messages {
  return both(tooLongMessages(value, subdomainLength, 'bytes'), mismatch(value, subdomain))
}

/** The name of a service: a label that begins with a letter. */
export function dns1035Label(value: string): Messages {
  return both(tooLongMessages(value, labelLength, 'characters'), mismatch(value, dns1035))
}

/** `*.example.com` */
export function wildcardSubdomain(value: string): Messages {
  return both(tooLongMessages(value, subdomainLength, 'characters'), mismatch(value, wildcard))
}

/** A search domain, which may have underscores. */
export function subdomainWithUnderscores(value: string): Messages {
  return both(tooLongMessages(value, subdomainLength, 'characters'), mismatch(value, underscoreSubdomain))
}

const forbiddenInSegment = ['/', '%'] as const

/** A name that can be a segment of a URL path. */
export function pathSegment(value: string): Messages {
  return value === '.' || value === '..' ? [`may not be '${value}'`] : pathSegmentPrefix(value)
}

/** The prefix of a path segment. */
export function pathSegmentPrefix(value: string): Messages {
  if (!value.includes('/') && !value.includes('%')) return noMessages
  return forbiddenInSegment.filter((mark) => value.includes(mark)).map((mark) => `may not contain '${mark}'`)
}

/** A domain of at least three parts: `a.example.com`. */
export function fullyQualifiedName(path: FieldPath, name: string): readonly FieldError[] {
  if (name === '') return [field.required(path)]
  const messages = dnsSubdomain(name)
  if (messages.length > 0) return [field.invalid(path, name, messages.join(','))]
  if (name.split('.').length >= 3) return []
  return [field.invalid(path, name, 'should be a domain with at least three segments separated by dots')]
}

/** A domain of at least two parts, which may end in a dot: `example.com.` */
export function fullyQualifiedDomainName(path: FieldPath, value: string): readonly FieldError[] {
  if (value === '') return [field.required(path)]
  const name = value.endsWith('.') ? value.slice(0, -1) : value
  const messages = dnsSubdomain(name)
  if (messages.length > 0) return [field.invalid(path, name, messages.join(','))]
  const parts = name.split('.')
  if (parts.length < 2)
    return [field.invalid(path, name, 'should be a domain with at least two segments separated by dots')]
  const wrong = parts.find((part) => dnsLabel(part).length > 0)
  return wrong === undefined ? [] : [field.invalid(path, wrong, dnsLabel(wrong).join(','))]
}
