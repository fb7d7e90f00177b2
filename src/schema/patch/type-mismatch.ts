import type { JsonValue } from '../declaration.js'
import { jsonTypeOf } from '../go-text.js'
import { isList, isObject } from '../json-value.js'
import type { LinkedType, ObjectType } from '../model.js'

/**
 * Returns upstream's message for the first value of a wrong type in a patched object, or undefined. The decoder checks values with a
 * format of their own (times, quantities).
 */
export function typeMismatch(type: ObjectType, object: JsonValue): string | undefined {
  return problemIn({ is: 'object', object: type }, object)
}

function problemIn(type: LinkedType, value: JsonValue): string | undefined {
  if (value === null) return undefined
  switch (type.is) {
    case 'object':
      return isObject(value) ? memberProblem(type.object, value) : `cannot restore struct from: ${kindOf(value)}`
    case 'list':
      return isList(value)
        ? first(value, (element) => problemIn(type.of, element))
        : `cannot restore slice from ${kindOf(value)}`
    case 'map':
      return isObject(value)
        ? first(Object.values(value), (element) => problemIn(type.of, element))
        : `cannot restore map from ${kindOf(value)}`
    default:
      return scalarProblem(type.is, value)
  }
}

function memberProblem(type: ObjectType, object: { readonly [key: string]: JsonValue }): string | undefined {
  return first(type.fields, ({ name, type: fieldType }) => {
    const value = Object.hasOwn(object, name) ? object[name] : undefined
    return value === undefined ? undefined : problemIn(fieldType, value)
  })
}

function first<T>(values: readonly T[], problem: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const found = problem(value)
    if (found !== undefined) return found
  }
  return undefined
}

const scalars: Readonly<Record<string, { readonly json: string; readonly go: string }>> = {
  string: { json: 'string', go: 'string' },
  enumeration: { json: 'string', go: 'string' },
  bool: { json: 'boolean', go: 'bool' },
  int32: { json: 'number', go: 'int32' },
  int64: { json: 'number', go: 'int64' },
  double: { json: 'number', go: 'float64' },
}

function scalarProblem(is: string, value: JsonValue): string | undefined {
  const scalar = scalars[is]
  return !scalar || typeof value === scalar.json ? undefined : `unrecognized type: ${scalar.go}`
}

/** The Go kind of a value. Integers have 64 bits. */
function kindOf(value: JsonValue): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  const kind = jsonTypeOf(value)
  return kind === 'array' ? 'slice' : kind === 'object' ? 'map' : kind
}
