import { parseDuration, toMilliseconds } from '../../base/duration.js'
import { Quantity } from '../../schema/values/quantity.js'

/** What was written for the simulation makes no sense. The message says where. */
export class ScenarioError extends Error {
  override name = 'ScenarioError'
}

/** Reads one value that came from JSON or YAML; throws a `ScenarioError` that names `path` when it is something else. */
export type Reader<Value> = (value: unknown, path: string) => Value

type Shape<Fields> = { readonly [K in keyof Fields]: Fields[K] extends Reader<infer Value> ? Value : never }

export const text: Reader<string> = (value, path) => {
  if (typeof value !== 'string') throw wrong(path, 'a text', value)
  return value
}

export const truth: Reader<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw wrong(path, 'true or false', value)
  return value
}

export const integer: Reader<number> = (value, path) => {
  if (!Number.isInteger(value)) throw wrong(path, 'a whole number', value)
  return value as number
}

/** `1m30s`, or a number of seconds; milliseconds in memory. */
export const span: Reader<number> = (value, path) => {
  if (typeof value === 'number' && value >= 0) return value * 1000
  try {
    const milliseconds = toMilliseconds(parseDuration(text(value, path)))
    if (milliseconds >= 0) return milliseconds
  } catch {
    // It is told below, with the place where it stands.
  }
  throw wrong(path, 'a length of time such as 1m30s', value)
}

/** `250m`, `64Mi`, or a number. */
export const quantity: Reader<number> = (value, path) => {
  if (typeof value === 'number') return value
  try {
    const { mantissa, exponent } = Quantity.parse(text(value, path))
    return Number(mantissa) * 10 ** exponent
  } catch {
    throw wrong(path, 'a quantity such as 250m or 64Mi', value)
  }
}

export function oneOf<Value extends string>(...values: readonly Value[]): Reader<Value> {
  return (value, path) => {
    if (!values.includes(value as Value)) throw wrong(path, `one of ${values.join(', ')}`, value)
    return value as Value
  }
}

/** Whichever of the two can read it; the second's complaint is told when neither can. */
export function either<A, B>(first: Reader<A>, second: Reader<B>): Reader<A | B> {
  return (value, path) => {
    try {
      return first(value, path)
    } catch {
      return second(value, path)
    }
  }
}

/** One alone is a list too. */
export function listOf<Value>(reader: Reader<Value>): Reader<readonly Value[]> {
  return (value, path) =>
    Array.isArray(value) ? value.map((item, index) => reader(item, `${path}[${index}]`)) : [reader(value, path)]
}

export function mapOf<Value>(reader: Reader<Value>): Reader<Readonly<Record<string, Value>>> {
  return (value, path) =>
    Object.fromEntries(Object.entries(object(value, path)).map(([key, item]) => [key, reader(item, `${path}.${key}`)]))
}

/** Fields may be missing; those that nobody knows are refused, because a slip of the pen would otherwise pass for nothing. */
export function shape<Fields extends Readonly<Record<string, Reader<unknown>>>>(
  fields: Fields,
): Reader<Partial<Shape<Fields>>> {
  return (value, path) => {
    const entries = Object.entries(object(value, path)).map(([key, item]) => {
      const reader = Object.hasOwn(fields, key) ? fields[key] : undefined
      if (!reader) throw new ScenarioError(`${path}: there is no ${key}; there are ${Object.keys(fields).join(', ')}`)
      return [key, reader(item, `${path}.${key}`)]
    })
    return Object.fromEntries(entries) as Partial<Shape<Fields>>
  }
}

function object(value: unknown, path: string): object {
  if (value === null || value === undefined) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong(path, 'a map', value)
  return value
}

function wrong(path: string, wanted: string, value: unknown): ScenarioError {
  return new ScenarioError(`${path}: ${JSON.stringify(value)} is not ${wanted}`)
}
