import { quote } from '../quote.js'
import { ValueError } from '../value-error.js'

/** A number, or a percentage such as `25%`, or a name. */
export type IntOrString = number | string

/**
 * A number as it is; a percentage as that part of `total`, rounded. Throws a `ValueError` for any other string. Percentages
 * that are no whole numbers are refused.
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

/** The number of a percentage that is well formed: digits, then `%`. */
export function percentage(value: IntOrString): number | undefined {
  return typeof value === 'string' && /^[0-9]+%$/.test(value) ? Number(value.slice(0, -1)) : undefined
}

/** As a flag or an argument gives it: a number if it is one. */
export function parseIntOrString(text: string): IntOrString {
  return isInteger(text) ? Number(text) : text
}

/** The number, or that of a string which is one; 0 otherwise. */
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

/** A whole decimal number of 64 bits. The errors are those of `strconv.Atoi`. */
export function parseInteger(text: string): number {
  if (!integer.test(text)) throw new ValueError(`strconv.Atoi: parsing ${quote(text)}: invalid syntax`)
  if (!fits(text)) throw new ValueError(`strconv.Atoi: parsing ${quote(text)}: value out of range`)
  return Number(text)
}
