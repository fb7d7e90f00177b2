/** Validates names that are not domain names (ports, environment variables, keys of config maps, HTTP headers), and number ranges. */
import { both, type Messages, mismatch, noMessages, pattern, tooLongMessages } from './names.js'

const cName = pattern(
  '[A-Za-z_][A-Za-z0-9_]*',
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  'my_name',
  'MY_NAME',
  'MyName',
)
const variable = pattern(
  '[-._a-zA-Z][-._a-zA-Z0-9]*',
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
  'my.env-name',
  'MY_ENV.NAME',
  'MyEnvName1',
)
const configKey = pattern(
  '[-._a-zA-Z0-9]+',
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  'key.name',
  'KEY_NAME',
  'key-name',
)
const header = pattern(
  '[-A-Za-z0-9]+',
  "a valid HTTP header must consist of alphanumeric characters or '-'",
  'X-Header-Name',
)
const percentage = pattern(
  '[0-9]+%',
  "a valid percent string must be a numeric string followed by an ending '%'",
  '1%',
  '93%',
)
const reason = pattern(
  '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?',
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  'my_name',
  'MY_NAME',
  'MyName',
  'ReasonA,ReasonB',
  'ReasonA:ReasonB',
)

export function cIdentifier(value: string): Messages {
  return mismatch(value, cName)
}

/** The reason of a condition: one word, or several with `,` or `:` between them. */
export function conditionReason(value: string): Messages {
  return mismatch(value, reason)
}

/** The older, stricter format, which some fields still require. */
export function strictEnvironmentVariableName(value: string): Messages {
  return both(mismatch(value, variable), dotsAtStart(value))
}

/** Any printable ASCII characters except `=`. */
export function environmentVariableName(value: string): Messages {
  if (value === '') return ['environment variable name must be non-empty']
  if (/^[ -<>-~]+$/.test(value)) return noMessages
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"]
}

/** A key of a config map or a secret: a file name. */
export function configMapKey(value: string): Messages {
  return both(tooLongMessages(value, 253, 'characters'), both(mismatch(value, configKey), dotsAtStart(value)))
}

/** Rejects file names that lead out of a folder. */
function dotsAtStart(value: string): Messages {
  if (value === '.' || value === '..') return [`must not be '${value}'`]
  return value.startsWith('..') ? ["must not start with '..'"] : noMessages
}

/** A service name after RFC 6335, in lower case. */
export function portName(value: string): Messages {
  if (/^(?=.{1,15}$)(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/.test(value)) return noMessages
  const messages = [...tooLongMessages(value, 15, 'characters')]
  if (!/^[-a-z0-9]+$/.test(value))
    messages.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  if (!/[a-z]/.test(value)) messages.push('must contain at least one letter (a-z)')
  if (value.includes('--')) messages.push('must not contain consecutive hyphens')
  if (value.startsWith('-') || value.endsWith('-')) messages.push('must not begin or end with a hyphen')
  return messages
}

export function httpHeaderName(value: string): Messages {
  return mismatch(value, header)
}

export function percent(value: string): Messages {
  return mismatch(value, percentage)
}

export function portNumber(value: number): Messages {
  return inRange(value, 1, 65_535)
}

/** A Unix user or group ID. */
export function userOrGroupId(value: number): Messages {
  return inRange(value, 0, 2 ** 31 - 1)
}

export function inRange(value: number, minimum: number, maximum: number): Messages {
  return value >= minimum && value <= maximum ? noMessages : [`must be between ${minimum} and ${maximum}, inclusive`]
}

export const notNegative = 'must be greater than or equal to 0'
