import { parseDuration, toMilliseconds } from '../../base/duration.js'
import { Quantity } from '../../schema/values/quantity.js'

/** A scenario or an annotation is invalid. The message names the path. */
export class ScenarioError extends Error {
  override name = 'ScenarioError'
}

/** Checks and converts one value from JSON or YAML. Throws a `ScenarioError` with `path` for a value of another type. */
export type ValueReader<Value> = (value: unknown, path: string) => Value

type ReadObject<Fields> = { readonly [K in keyof Fields]: Fields[K] extends ValueReader<infer Value> ? Value : never }

export const readText: ValueReader<string> = (value, path) => {
  if (typeof value !== 'string') throw valueError(path, 'a string', value)
  return value
}

export const readBoolean: ValueReader<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw valueError(path, 'true or false', value)
  return value
}

export const readInteger: ValueReader<number> = (value, path) => {
  if (!Number.isInteger(value)) throw valueError(path, 'a whole number', value)
  return value as number
}

/** `1m30s`, or a number of seconds. Returns milliseconds. */
export const readDuration: ValueReader<number> = (value, path) => {
  if (typeof value === 'number' && value >= 0) return value * 1000
  try {
    const milliseconds = toMilliseconds(parseDuration(readText(value, path)))
    if (milliseconds >= 0) return milliseconds
  } catch {
    // Reported below, with the path.
  }
  throw valueError(path, 'a duration such as 1m30s', value)
}

/** `250m`, `64Mi`, or a number. */
export const readQuantityValue: ValueReader<number> = (value, path) => {
  if (typeof value === 'number') return value
  try {
    const { mantissa, exponent } = Quantity.parse(readText(value, path))
    return Number(mantissa) * 10 ** exponent
  } catch {
    throw valueError(path, 'a quantity such as 250m or 64Mi', value)
  }
}

export function readOneOf<Value extends string>(...values: readonly Value[]): ValueReader<Value> {
  return (value, path) => {
    if (!values.includes(value as Value)) throw valueError(path, `one of ${values.join(', ')}`, value)
    return value as Value
  }
}

/** Tries both readers. Throws the error of the second if both fail. */
export function readEither<A, B>(first: ValueReader<A>, second: ValueReader<B>): ValueReader<A | B> {
  return (value, path) => {
    try {
      return first(value, path)
    } catch {
      return second(value, path)
    }
  }
}

/** Also accepts a single value in place of a list. */
export function readListOf<Value>(reader: ValueReader<Value>): ValueReader<readonly Value[]> {
  return (value, path) =>
    Array.isArray(value) ? value.map((item, index) => reader(item, `${path}[${index}]`)) : [reader(value, path)]
}

export function readMapOf<Value>(reader: ValueReader<Value>): ValueReader<Readonly<Record<string, Value>>> {
  return (value, path) =>
    Object.fromEntries(
      Object.entries(objectAt(value, path)).map(([key, item]) => [key, reader(item, `${path}.${key}`)]),
    )
}

/** All fields are optional. Rejects unknown fields, because a misspelt field would otherwise have no effect. */
export function readObjectOf<Fields extends Readonly<Record<string, ValueReader<unknown>>>>(
  fields: Fields,
): ValueReader<Partial<ReadObject<Fields>>> {
  return (value, path) => {
    const entries = Object.entries(objectAt(value, path)).map(([key, item]) => {
      const reader = Object.hasOwn(fields, key) ? fields[key] : undefined
      if (!reader)
        throw new ScenarioError(`${path}: unknown field ${key}; known fields: ${Object.keys(fields).join(', ')}`)
      return [key, reader(item, `${path}.${key}`)]
    })
    return Object.fromEntries(entries) as Partial<ReadObject<Fields>>
  }
}

function objectAt(value: unknown, path: string): object {
  if (value === null || value === undefined) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw valueError(path, 'a map', value)
  return value
}

function valueError(path: string, expected: string, value: unknown): ScenarioError {
  return new ScenarioError(`${path}: ${JSON.stringify(value)} is not ${expected}`)
}
