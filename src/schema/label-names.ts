/** Validates keys and values of labels, and names of the same form: annotations, finalizers, resources, condition types. */
import type { FieldError } from './field-errors.js'
import * as field from './field-errors.js'
import type { FieldPath } from './field-path.js'
import {
  both,
  dnsSubdomain,
  longName,
  type Messages,
  mismatch,
  noMessages,
  pattern,
  subdomainSource,
  tooLongMessages,
} from './names.js'

const nameSource = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const name = pattern(
  nameSource,
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  'MyName',
  'my.name',
  '123-abc',
)
const value = pattern(
  `(${nameSource})?`,
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  'MyValue',
  'my_value',
  '12345',
)
const maximumLength = 63

/** Fast path for nearly all keys: valid ones that are too short to have a part that is too long. */
const shortKey = new RegExp(`^(?:${subdomainSource}/)?${nameSource}$`)

/** A name with an optional domain: `example.com/tier`. */
export function labelKey(key: string): Messages {
  if (key.length <= maximumLength && shortKey.test(key)) return noMessages
  const slash = key.indexOf('/')
  if (slash < 0) return namePart(key)
  if (key.includes('/', slash + 1))
    return [
      `a valid label key ${name.message} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  return both(prefixPart(key.slice(0, slash)), namePart(key.slice(slash + 1)))
}

function prefixPart(prefix: string): Messages {
  return prefix === '' ? ['prefix part must be non-empty'] : prefixed('prefix part ', longName(prefix))
}

function namePart(text: string): Messages {
  const length = text === '' ? ['must be non-empty'] : tooLongMessages(text, maximumLength, 'bytes')
  return prefixed('name part ', both(length, mismatch(text, name)))
}

function prefixed(prefix: string, messages: Messages): Messages {
  return messages.length === 0 ? noMessages : messages.map((message) => prefix + message)
}

/** A label key with a domain. */
export function prefixedLabelKey(key: string): Messages {
  const messages = labelKey(key)
  if (messages.length > 0 || key.includes('/')) return messages
  return ["must include a prefix (e.g. 'example.com/key')"]
}

export function labelValue(text: string): Messages {
  return both(tooLongMessages(text, maximumLength, 'bytes'), mismatch(text, value))
}

/** A domain and a name: `example.com/signer`. */
export function domainPrefixedKey(path: FieldPath, key: string): readonly FieldError[] {
  if (key === '') return [field.required(path)]
  const messages = labelKey(key)
  if (messages.length > 0) return field.invalidForEach(path, key, messages)
  return key.includes('/') ? [] : [field.invalid(path, key, 'must be a domain-prefixed key (such as "acme.io/foo")')]
}

const httpPath = pattern("[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+", 'Invalid path')

/** A domain and a path: `example.com/ingress/controller`. */
export function domainPrefixedPath(path: FieldPath, text: string): readonly FieldError[] {
  if (text === '') return [field.required(path)]
  const slash = text.indexOf('/')
  if (slash <= 0 || slash === text.length - 1)
    return [field.invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  const host = text.slice(0, slash)
  const rest = text.slice(slash + 1)
  return [
    ...field.invalidForEach(path, host, dnsSubdomain(host)),
    ...field.invalidForEach(path, rest, mismatch(rest, httpPath)),
  ]
}
