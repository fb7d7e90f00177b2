import { setMember } from '../json-value.js'
import type { LinkedType, ObjectField, ObjectType } from '../model.js'
import { reaches } from '../reach.js'
import { isEmpty, zeroObject, zeroOf } from '../zero.js'
import { compiled, type FieldPlan, interpreted, seen } from './decode-members.js'
import { type Decode, decodeString, irregular, scalarDecoder } from './decode-scalars.js'
import { maximumJsonDepth } from './json-reader.js'

export interface Decoded {
  readonly object: Record<string, unknown>
  /** How many object members there were. Compared with the number that the text had, it tells whether any key came twice. */
  readonly members: number
}

/**
 * The quick way from parsed JSON to an object of `type` in canonical form: fields in canonical order, values in canonical form,
 * zeros dropped or kept as declared, absent fields filled in where something must stand. It takes only input about which nothing
 * needs to be said; anything else (an unknown field, a wrong type, a number out of range) ends in `Irregular` or the error of a
 * value's own parser, and `inspect.ts` then finds out exactly what it was.
 *
 * The input is never changed. Untyped JSON in it is handed through; all else in the result is new.
 */
export function decodeRegular(type: ObjectType, input: unknown): Decoded {
  seen.members = 0
  const object = (decoderOf(type)(input) ?? zeroObject(type)) as Record<string, unknown>
  return { object, members: seen.members }
}

/** After so many objects of a type, a function compiled for it is worth its while. A start decodes fewer, and need not wait for any. */
const often = 1000

const decoders = new WeakMap<ObjectType, Decode>()

/** Types refer to themselves in places: the decoder is registered before its fields are looked at, and those wait for their turn. */
function decoderOf(type: ObjectType): Decode {
  const known = decoders.get(type)
  if (known) return known
  let decodeObject: Decode | undefined
  let times = 0
  const decode: Decode = (input) => {
    if (times < often && ++times === often && !holdsItself(type)) decodeObject = compiled(type.name, fieldPlans(type))
    decodeObject ??= interpreted(fieldPlans(type))
    return decodeObject(input)
  }
  decoders.set(type, decode)
  return decode
}

/** Objects of such a type may be a thousand levels deep, and the stack does not hold as many calls of a function with many variables. */
function holdsItself(type: ObjectType): boolean {
  return type.fields.some((field) => reaches(field.type, (object) => object === type))
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
  const standIn = absent === 'null' ? () => null : absent === 'zero' ? zeroOf(type) : undefined
  return {
    name,
    decode: fieldDecoder(type, standIn, options.keepZero === true),
    absent: standIn,
  }
}

/** A value that was given may still come to nothing: null, or an empty one where empty means absent. */
function fieldDecoder(type: LinkedType, standIn: (() => unknown) | undefined, keepsZero: boolean): Decode {
  const decode = typeDecoder(type)
  if (standIn) return (input) => decode(input) ?? standIn()
  if (keepsZero || !canBeEmpty(type)) return decode
  return (input) => {
    const value = decode(input)
    return isEmpty(value) ? undefined : value
  }
}

/** Scalars, lists and maps have an empty value that counts as absent; objects and those that are structs upstream have none. */
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
    const result: unknown[] = [] // not of a length given before: such a list counts as one with holes, and is slow to encode
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
    seen.members += keys.length
    if (!isSorted(keys)) keys.sort()
    const result: Record<string, unknown> = {}
    for (const key of keys) setMember(result, key, decode(given[key]) ?? zero())
    return result
  }
}

/** Most maps are, having been sorted here once: looking is far cheaper than sorting again. */
function isSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if (keys[i - 1]! > keys[i]!) return false
  return true
}

function eitherDecoder(options: readonly LinkedType[]): Decode {
  const choices = options.map((option) => ({ fits: fitterOf(option), decode: typeDecoder(option) }))
  return (input) => {
    if (input === null) return undefined
    const choice = choices.find(({ fits }) => fits(input))
    if (!choice) throw irregular
    return choice.decode(input)
  }
}

/** Whether a JSON value is of the kind of value that a type has. */
function fitterOf(type: LinkedType): (value: unknown) => boolean {
  if (type.is === 'bool') return (value) => typeof value === 'boolean'
  if (type.is === 'list') return (value) => Array.isArray(value)
  return (value) => typeof value === 'object' && !Array.isArray(value)
}

/** Handed through as it is, after counting its members; an object of a foreign prototype is not JSON. */
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
      seen.members++
      countDeep((value as Record<string, unknown>)[key], depth + 1)
    }
}
