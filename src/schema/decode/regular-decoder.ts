import { setMember } from '../json-value.js'
import type { LinkedType, ObjectField, ObjectType } from '../model.js'
import { containsType } from '../type-search.js'
import { isEmptyValue, zeroObject, zeroOf } from '../zero.js'
import { compiledObjectDecoder } from './compiled-object-decoder.js'
import { maximumJsonDepth } from './json-reader.js'
import { counter, type FieldPlan, interpretedObjectDecoder } from './object-decoder.js'
import { type Decode, decodeString, irregular, scalarDecoder } from './scalar-decoders.js'

export interface Decoded {
  readonly object: Record<string, unknown>
  /** The number of object members in the input. If the text has more, one of its keys is a duplicate. */
  readonly members: number
}

/**
 * Decodes parsed JSON as an object of `type` in canonical form: fields in canonical order, values in canonical form, zeros dropped or
 * kept as declared, and absent fields added where they must not be omitted. It accepts only regular input. For anything else (an unknown
 * field, a wrong type, a number out of range) it throws `Irregular` or the error of a value's parser, and `inspect.ts` then finds out
 * what is wrong.
 *
 * It does not modify the input. Untyped JSON in it is shared with the result; everything else in the result is new.
 */
export function decodeRegular(type: ObjectType, input: unknown): Decoded {
  counter.members = 0
  const object = (decoderOf(type)(input) ?? zeroObject(type)) as Record<string, unknown>
  return { object, members: counter.members }
}

/** The number of objects of a type after which it is worth compiling a decoder. A process that starts decodes fewer. */
const compileAfter = 1000

const decoders = new WeakMap<ObjectType, Decode>()

/** Some types contain themselves: the decoder is registered before the plans of its fields are made, which happens on its first call. */
function decoderOf(type: ObjectType): Decode {
  const known = decoders.get(type)
  if (known) return known
  const decode = type.fastDecoding ? compilingDecoder(type) : lazyDecoder(type)
  decoders.set(type, decode)
  return decode
}

function lazyDecoder(type: ObjectType): Decode {
  let decodeObject: Decode | undefined
  return (input) => {
    decodeObject ??= interpretedObjectDecoder(type.name, fieldPlans(type))
    return decodeObject(input)
  }
}

/** Interprets the plans at first, and compiles them once many objects have been decoded. */
function compilingDecoder(type: ObjectType): Decode {
  let decodeObject: Decode = lazyDecoder(type)
  let count = 0
  return (input) => {
    if (count < compileAfter && ++count === compileAfter && !isRecursive(type))
      decodeObject = compiledObjectDecoder(type.name, fieldPlans(type))
    return decodeObject(input)
  }
}

/** Objects of a recursive type may be a thousand levels deep; the stack does not hold as many calls of a compiled function. */
function isRecursive(type: ObjectType): boolean {
  return type.fields.some((field) => containsType(field.type, (object) => object === type))
}

function fieldPlans(type: ObjectType): readonly FieldPlan[] {
  return [...(type.kind && !type.kind.untyped ? typeMetaPlans : []), ...type.fields.map(planField)]
}

const typeMetaPlans: readonly FieldPlan[] = ['kind', 'apiVersion'].map((name) => ({
  name,
  decode: (input) => decodeString(input) || undefined,
  absent: undefined,
}))

function planField({ name, type, absent, options }: ObjectField): FieldPlan {
  const absentValue = absent === 'null' ? () => null : absent === 'zero' ? zeroOf(type) : undefined
  return { name, decode: fieldDecoder(type, absentValue, options.keepZero === true), absent: absentValue }
}

/** A value may count as absent: null, or an empty one where empty means absent. */
function fieldDecoder(type: LinkedType, absentValue: (() => unknown) | undefined, keepsZero: boolean): Decode {
  const decode = typeDecoder(type)
  if (absentValue) return (input) => decode(input) ?? absentValue()
  if (keepsZero || !canBeEmpty(type)) return decode
  return (input) => {
    const value = decode(input)
    return isEmptyValue(value) ? undefined : value
  }
}

/** Scalars, lists and maps have an empty value that counts as absent; objects, and scalars that are structs in Go, have none. */
function canBeEmpty(type: LinkedType): boolean {
  switch (type.is) {
    case 'string':
    case 'enumeration':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'double':
    case 'bytes':
    case 'list':
    case 'map':
      return true
    default:
      return false
  }
}

function typeDecoder(type: LinkedType): Decode {
  switch (type.is) {
    case 'object':
      return decoderOf(type.object)
    case 'list':
      return listDecoder(type.of)
    case 'map':
      return mapDecoder(type.of)
    case 'either':
      return eitherDecoder(type.alternatives)
    default:
      return scalarDecoder(type) ?? decodeAnything
  }
}

function listDecoder(of: LinkedType): Decode {
  const decode = typeDecoder(of)
  const zero = zeroOf(of)
  return (input) => {
    if (input === null) return undefined
    if (!Array.isArray(input)) throw irregular
    const result: unknown[] = [] // no preset length: the engine would treat it as a list with holes, which is slow to encode
    for (const element of input) result.push(decode(element) ?? zero())
    return result
  }
}

function mapDecoder(of: LinkedType): Decode {
  const decode = typeDecoder(of)
  const zero = zeroOf(of)
  return (input) => {
    if (input === null) return undefined
    if (typeof input !== 'object' || Array.isArray(input)) throw irregular
    const given = input as Record<string, unknown>
    const keys = Object.keys(given)
    counter.members += keys.length
    if (!isSorted(keys)) keys.sort()
    const result: Record<string, unknown> = {}
    for (const key of keys) setMember(result, key, decode(given[key]) ?? zero())
    return result
  }
}

/** Most maps have been sorted here before, and the check is much cheaper than sorting. */
function isSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if (keys[i - 1]! > keys[i]!) return false
  return true
}

function eitherDecoder(types: readonly LinkedType[]): Decode {
  const alternatives = types.map((type) => ({ matches: matcherOf(type), decode: typeDecoder(type) }))
  return (input) => {
    if (input === null) return undefined
    const alternative = alternatives.find(({ matches }) => matches(input))
    if (!alternative) throw irregular
    return alternative.decode(input)
  }
}

/** Whether a JSON value can be a value of the type. */
function matcherOf(type: LinkedType): (value: unknown) => boolean {
  if (type.is === 'bool') return (value) => typeof value === 'boolean'
  if (type.is === 'list') return (value) => Array.isArray(value)
  return (value) => typeof value === 'object' && !Array.isArray(value)
}

/** Returns untyped JSON as it is, after counting its members. */
function decodeAnything(input: unknown): unknown {
  countDeep(input, 0)
  return input ?? undefined
}

function countDeep(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth > maximumJsonDepth) throw irregular
  if (Array.isArray(value)) for (const element of value) countDeep(element, depth + 1)
  else
    for (const key in value) {
      counter.members++
      countDeep((value as Record<string, unknown>)[key], depth + 1)
    }
}
