import type { JsonObject } from '../../schema/declaration.js'
import { relaxed, valuesAt } from './json-path/json-path.js'

/** No object has the sort field. */
export class FieldMissingError extends Error {
  override readonly name = 'FieldMissingError'
}

/** Sorts by the value of a path. Items without the value come first; the sort is stable. */
export function sortedBy<T>(items: readonly T[], path: string, objectOf: (item: T) => JsonObject): readonly T[] {
  const values = valuesAt(relaxed(path))
  const keyed = items.map((item) => ({ item, key: values(objectOf(item))[0] }))
  if (items.length > 0 && keyed.every(({ key }) => key === undefined))
    throw new FieldMissingError(`couldn't find any field with path "${relaxed(path)}" in the list of objects`)
  return keyed.sort((left, right) => compare(left.key, right.key)).map(({ item }) => item)
}

function compare(left: unknown, right: unknown): number {
  if (left === undefined || right === undefined) return Number(left !== undefined) - Number(right !== undefined)
  if (typeof left === 'number' && typeof right === 'number') return left - right
  const quantities = [parseQuantityValue(left), parseQuantityValue(right)]
  if (quantities[0] !== undefined && quantities[1] !== undefined) return quantities[0] - quantities[1]
  return naturalOrder(String(left), String(right))
}

/** Compares numbers in names as numbers: `web-2` before `web-10`. */
function naturalOrder(left: string, right: string): number {
  const parts = (text: string) => text.match(/\d+|\D+/g) ?? []
  const [one, other] = [parts(left), parts(right)]
  for (let index = 0; index < Math.min(one.length, other.length); index++) {
    const [a, b] = [one[index]!, other[index]!]
    if (a === b) continue
    const areNumbers = /^\d/.test(a) && /^\d/.test(b)
    return areNumbers && Number(a) !== Number(b) ? Number(a) - Number(b) : a < b ? -1 : 1
  }
  return one.length - other.length
}

const factors: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/** Converts a quantity such as `500Mi` into a number for sorting; undefined for other values. */
function parseQuantityValue(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const [, number, unit = ''] = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)([numkMGTPE]?i?)$/.exec(value) ?? []
  const factor = Object.hasOwn(factors, unit) ? factors[unit] : undefined
  return number === undefined || factor === undefined ? undefined : Number(number) * factor
}
