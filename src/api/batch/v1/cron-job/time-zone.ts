/** Validates names of time zones of the IANA database: `Europe/Vienna`. They are case-sensitive. */
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'

const namePart = /^(?!\.{1,2}$)(?!-)[A-Za-z.\-_0-9+]{1,14}$/

export function validateTimeZone(name: string | undefined, path: FieldPath): readonly field.FieldError[] {
  if (name === undefined) return field.none
  if (name === '') return [field.invalid(path, name, 'timeZone must be nil or non-empty string')]
  if (!name.split('/').every((part) => namePart.test(part))) return [field.invalid(path, name, unknownTimeZone(name))]
  if (name === 'Local') return [field.invalid(path, name, notExplicit)]
  if (isTimeZone(name)) return field.none
  const unknown = field.invalid(path, name, unknownTimeZone(name))
  return name.toLowerCase() === 'local' ? [field.invalid(path, name, notExplicit), unknown] : [unknown]
}

const notExplicit = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'

export function unknownTimeZone(name: string): string {
  return `unknown time zone ${name}`
}

const known = new Map<string, boolean>([['UTC', true]])

/** Whether the name is in the database. Cached, because the engine is slow. */
export function isTimeZone(name: string): boolean {
  let answer = known.get(name)
  if (answer === undefined) {
    answer = isDatabaseName(name)
    if (known.size < 1000) known.set(name, answer)
  }
  return answer
}

/**
 * The engine ignores case, and accepts offsets and abbreviations that are not in the database. Each part of a name in the database starts
 * with a capital letter; this and the list of the engine are used to detect wrong case.
 */
function isDatabaseName(name: string): boolean {
  if (abbreviations.has(name) || name.startsWith('SystemV/')) return false
  if (!name.split('/').every((part) => /^[A-Z]/.test(part))) return false
  if (!engineKnows(name)) return false
  const listed = listedByLowerCase().get(name.toLowerCase())
  return listed === undefined || listed === name
}

function engineKnows(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

let listed: ReadonlyMap<string, string> | undefined

function listedByLowerCase(): ReadonlyMap<string, string> {
  listed ??= new Map(Intl.supportedValuesOf('timeZone').map((name) => [name.toLowerCase(), name]))
  return listed
}

/** Abbreviations that the engine accepts, but that are not in the database. */
const abbreviations: ReadonlySet<string> = new Set(
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(' '),
)
