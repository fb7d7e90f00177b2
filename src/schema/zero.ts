import { setMember } from './json-value.js'
import type { LinkedType, ObjectType } from './model.js'

/** Makes the zero of a type: the value of an absent field that must not be omitted. */
export function zeroOf(type: LinkedType): () => unknown {
  switch (type.is) {
    case 'string':
    case 'enumeration':
    case 'bytes':
      return () => ''
    case 'bool':
      return () => false
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return () => 0
    case 'quantity':
      return () => '0'
    case 'object':
      return () => zeroObject(type.object)
    default:
      return () => null
  }
}

/** An object in which no field is set. A new one each time, because the caller may set defaults in it. */
export function zeroObject(type: ObjectType): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const { name, type: fieldType, absent } of type.fields) {
    if (absent !== 'omitted') setMember(result, name, absent === 'null' ? null : zeroOf(fieldType)())
  }
  return result
}

/** Tests whether a decoded value is the zero of its type. */
export function zeroTest(type: LinkedType): (value: unknown) => boolean {
  if (type.is === 'list' || type.is === 'map') return isEmptyValue
  if (type.is === 'object') return () => false
  const zero = zeroOf(type)()
  return (value) => value === zero
}

/** Whether a scalar, list or map counts as absent. */
export function isEmptyValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return !value
  if (Array.isArray(value)) return value.length === 0
  for (const key in value) if (Object.hasOwn(value, key)) return false
  return true
}
