import { quote } from '../quote.js'
import { ValueError } from '../value-error.js'

/** A number, or a percentage such as `25%`, or a name. */
export type IntOrString = number | string

/**
 * Returns a number unchanged, and a percentage as that part of `total`, rounded. Throws `ValueError` for any other string, including
 * fractional percentages.
 */
export function scaledValue(value: IntOrString, total: number, round: 'up' | 'down'): number {
  if (typeof value === 'number') return value
  const scaled = (percentageOf(value) * total) / 100
  return round === 'up' ? Math.ceil(scaled) : Math.floor(scaled)
}

function percentageOf(text: string): number {
  if (!text.endsWith('%'))
    throw new ValueError('invalid value for IntOrString: invalid type: string is not a percentage')
  try {
    return parseInteger(text.slice(0, -1))
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
    throw new ValueError(`invalid value for IntOrString: invalid value ${quote(text)}: ${error.message}`)
  }
}

/** The number of a well-formed percentage (digits, then `%`); otherwise undefined. */
export function percentage(value: IntOrString): number | undefined {
  return typeof value === 'string' && /^[0-9]+%$/.test(value) ? Number(value.slice(0, -1)) : undefined
}

/** Parses the text of a flag or argument: a number if it is one, otherwise a string. */
export function parseIntOrString(text: string): IntOrString {
  return isInteger(text) ? Number(text) : text
}

/** The number, or the number in a string; otherwise 0. */
export function integerOf(value: IntOrString): number {
  const parsed = typeof value === 'number' ? value : parseIntOrString(value)
  return typeof parsed === 'number' ? parsed : 0
}

const integer = /^[+-]?[0-9]+$/

function isInteger(text: string): boolean {
  return integer.test(text) && fits(text)
}

function fits(text: string): boolean {
  if (text.length < 19) return true
  const value = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, value) === value
}

/** Parses a decimal integer of 64 bits. The errors are those of `strconv.Atoi`. */
export function parseInteger(text: string): number {
  if (!integer.test(text)) throw new ValueError(`strconv.Atoi: parsing ${quote(text)}: invalid syntax`)
  if (!fits(text)) throw new ValueError(`strconv.Atoi: parsing ${quote(text)}: value out of range`)
  return Number(text)
}
