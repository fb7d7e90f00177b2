import type { LinkedType, ObjectType } from './model.js'

/** Makes the zero of a type: what stands for an absent value where something must stand. */
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

/** An object of which nothing was given. A new one each time: whoever decoded it may still fill in defaults. */
export function zeroObject(type: ObjectType): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const { name, type: fieldType, absent } of type.fields) {
    if (absent !== 'omitted') result[name] = absent === 'null' ? null : zeroOf(fieldType)()
  }
  return result
}

/** Tells of decoded values whether they are the zero of their type. */
export function zeroTest(type: LinkedType): (value: unknown) => boolean {
  if (type.is === 'list' || type.is === 'map') return isEmpty
  if (type.is === 'object') return () => false
  const zero = zeroOf(type)()
  return (value) => value === zero
}

/** Whether a scalar, list or map is the one that counts as absent. */
export function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return !value
  if (Array.isArray(value)) return value.length === 0
  for (const key in value) if (Object.hasOwn(value, key)) return false
  return true
}
