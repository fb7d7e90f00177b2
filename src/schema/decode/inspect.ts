import { setMember } from '../json-value.js'
import type { LinkedType, ObjectField, ObjectType } from '../model.js'
import { canonicalBase64 } from '../values/base64.js'
import { canonicalQuantity } from '../values/quantity.js'
import { canonicalMicroTime, canonicalTime } from '../values/time.js'
import { goType } from './go-types.js'
import { ExactNumber, ExactObject, type ExactValue } from './json-reader.js'

/**
 * The exact path: visits a value in the order of its text and reports its problems with upstream's messages. The result contains only
 * declared fields and can be decoded on the fast path.
 */
export interface Inspection {
  readonly value: unknown
  /** Unknown and duplicate fields in the order of the text: `unknown field "spec.replica"`. */
  readonly problems: readonly string[]
}

/** A value does not fit its type. Clients only get the message. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError'
}

export function inspect(type: ObjectType, value: ExactValue): Inspection {
  const inspector = new Inspector()
  const root: ValueLocation = { path: '', names: '', struct: '', goType: goType({ is: 'object', object: type }) }
  const inspected = inspector.object(type, value, root)
  if (inspector.mismatch) throw inspector.mismatch
  return { value: inspected, problems: inspector.problems }
}

/** The location of a value in the inspected object. */
interface ValueLocation {
  /** With indices and map keys, for unknown and duplicate fields: `spec.containers[0].name`. */
  readonly path: string
  /** Only field names, for type mismatches: `spec.containers.name`. */
  readonly names: string
  /** The type that has the field, `Container`; empty at the root. */
  readonly struct: string
  readonly goType: string
}

class Inspector {
  readonly problems: string[] = []
  /** The first value of a wrong type, in the order of the text. Only that one is reported. */
  mismatch: DecodeError | undefined

  object(type: ObjectType, value: ExactValue, place: ValueLocation): unknown {
    if (value === null) return null
    if (!(value instanceof ExactObject)) return this.#refuse(value, place)
    const result: Record<string, unknown> = {}
    const struct = type.name.slice(type.name.lastIndexOf('.') + 1)
    for (const [key, member] of this.#members(value, place)) {
      const field = type.field.get(key) ?? (type.kind && !type.kind.untyped ? typeMeta.get(key) : undefined)
      if (field) setMember(result, key, this.#value(field.type, member, fieldLocation(place, struct, field)))
      else this.problems.push(`unknown field ${JSON.stringify(join(place.path, key))}`)
    }
    return result
  }

  /** Yields every member in order, so that the last of several equal keys counts. */
  *#members({ members }: ExactObject, place: ValueLocation): Iterable<readonly [string, ExactValue]> {
    const seen = new Set<string>()
    for (const member of members) {
      const [key] = member
      if (seen.has(key)) this.problems.push(`duplicate field ${JSON.stringify(join(place.path, key))}`)
      seen.add(key)
      yield member
    }
  }

  #value(type: LinkedType, value: ExactValue, place: ValueLocation): unknown {
    if (value === null) return null
    switch (type.is) {
      case 'object':
        return this.object(type.object, value, place)
      case 'list':
        return this.#list(type.of, value, place)
      case 'map':
        return this.#map(type.of, value, place)
      case 'either':
        return this.#either(type.alternatives, value, place)
      default:
        return this.#scalar(type, value, place)
    }
  }

  #list(of: LinkedType, value: ExactValue, place: ValueLocation): unknown {
    if (!Array.isArray(value)) return this.#refuse(value, place)
    return value.map((element, i) => this.#value(of, element, elementLocation(place, of, `${place.path}[${i}]`)))
  }

  #map(of: LinkedType, value: ExactValue, place: ValueLocation): unknown {
    if (!(value instanceof ExactObject)) return this.#refuse(value, place)
    const result: Record<string, unknown> = {}
    for (const [key, member] of this.#members(value, place))
      setMember(result, key, this.#value(of, member, elementLocation(place, of, join(place.path, key))))
    return result
  }

  #either(options: readonly LinkedType[], value: ExactValue, place: ValueLocation): unknown {
    const option = options.find((candidate) => fits(candidate, value))
    return option ? this.#value(option, value, elementLocation(place, option, place.path)) : this.#refuse(value, place)
  }

  #scalar(type: LinkedType, value: ExactValue, place: ValueLocation): unknown {
    try {
      return readScalar(type, value, place)
    } catch (error) {
      this.mismatch ??= error instanceof DecodeError ? error : new DecodeError((error as Error).message)
      return null
    }
  }

  #refuse(value: ExactValue, place: ValueLocation): null {
    this.mismatch ??= mismatch(describe(value), place)
    return null
  }
}

const typeMeta = new Map<string, ObjectField>(
  ['kind', 'apiVersion'].map((name) => [
    name,
    { name, type: { is: 'string' }, tag: 0, required: false, absent: 'omitted', options: {} },
  ]),
)

function fieldLocation(place: ValueLocation, struct: string, { name, type, options }: ObjectField): ValueLocation {
  return { path: join(place.path, name), names: join(place.names, name), struct, goType: goType(type, options) }
}

/** Elements of lists and maps are reported under the name of their field. */
function elementLocation(place: ValueLocation, type: LinkedType, path: string): ValueLocation {
  return { ...place, path, goType: goType(type) }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function fits(type: LinkedType, value: ExactValue): boolean {
  if (type.is === 'bool') return typeof value === 'boolean'
  return type.is === 'list' ? Array.isArray(value) : value instanceof ExactObject
}

function mismatch(what: string, { names, struct, goType }: ValueLocation): DecodeError {
  const where = struct === '' ? 'Go value' : `Go struct field ${struct}.${names}`
  return new DecodeError(`json: cannot unmarshal ${what} into ${where} of type ${goType}`)
}

function describe(value: ExactValue): string {
  if (value instanceof ExactNumber) return 'number'
  if (value instanceof ExactObject) return 'object'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : 'string'
}

/** Throws `DecodeError` for a value of a wrong type. */
function readScalar(type: LinkedType, value: ExactValue, place: ValueLocation): unknown {
  switch (type.is) {
    case 'bool':
      if (typeof value === 'boolean') return value
      throw mismatch(describe(value), place)
    case 'int32':
      return readInteger(value, 32n, place)
    case 'int64':
      return readInteger(value, 64n, place)
    case 'double':
      if (value instanceof ExactNumber) return Number(value.text)
      throw mismatch(describe(value), place)
    case 'quantity':
      return canonicalQuantity(typeof value === 'string' ? value : rawText(value))
    case 'intOrString':
      return typeof value === 'string' ? value : readInteger(value, 32n, { ...place, goType: 'int32' })
    case 'json':
    case 'rawExtension':
    case 'fieldsV1':
      return jsonFromExact(value)
    default:
      return readText(type, value, place)
  }
}

function readText(type: LinkedType, value: ExactValue, place: ValueLocation): string {
  const wanted = type.is === 'time' || type.is === 'microTime' ? { ...place, goType: 'string' } : place
  if (typeof value !== 'string') throw mismatch(describe(value), wanted)
  if (type.is === 'time') return canonicalTime(value)
  if (type.is === 'microTime') return canonicalMicroTime(value)
  return type.is === 'bytes' ? canonicalBase64(value) : value
}

function readInteger(value: ExactValue, bits: bigint, place: ValueLocation): number | bigint {
  if (!(value instanceof ExactNumber)) throw mismatch(describe(value), place)
  const limit = 1n << (bits - 1n)
  if (!/^-?\d+$/.test(value.text) || BigInt(value.text) >= limit || BigInt(value.text) < -limit)
    throw mismatch(`number ${value.text}`, place)
  return Number.isSafeInteger(Number(value.text)) ? Number(value.text) : BigInt(value.text)
}

/** The text of any JSON scalar, which the parser of quantities accepts or rejects. */
function rawText(value: ExactValue): string {
  return value instanceof ExactNumber ? value.text : JSON.stringify(jsonFromExact(value))
}

/** Converts a value to ordinary JSON. The last of several equal keys counts. */
export function jsonFromExact(value: ExactValue): unknown {
  if (value instanceof ExactNumber) return Number(value.text)
  if (Array.isArray(value)) return value.map(jsonFromExact)
  if (!(value instanceof ExactObject)) return value
  const result: Record<string, unknown> = {}
  for (const [key, member] of value.members) setMember(result, key, jsonFromExact(member))
  return result
}
