import { maximumJsonDepth } from './json-reader.js'
import { setMember } from './json-value.js'
import type { LinkedType, ObjectField, ObjectType } from './model.js'
import { canonicalQuantity } from './quantity.js'
import { canonicalMicroTime, canonicalTime, zeroMicroTime, zeroTime } from './time.js'
import { isEmpty, zeroObject, zeroOf } from './zero.js'

/**
 * The quick way from parsed JSON to an object in canonical form: fields in canonical order, values in canonical form, zeros
 * dropped or kept as declared, absent fields filled in where something must stand. It takes only input about which nothing needs
 * to be said; anything else (an unknown field, a wrong type, a number out of range) ends in `Irregular`, and `inspect.ts` then
 * finds out exactly what it was.
 *
 * One closure per type and field, made once; the input is never changed, and parts of it are reused where they fit as they are.
 */
export class Irregular extends Error {}

/** Thrown again and again without a new stack each time: it carries no information. */
const irregular = new Irregular('the input needs a closer look')

/** Gives the canonical value, or undefined if there is none. */
type Decode = (input: unknown) => unknown

/**
 * How many object members the last call of a decoder has seen. Compared with the number that the text had, it tells whether any
 * key came twice. Decoding is synchronous, so one counter is enough.
 */
let membersSeen = 0

export interface Decoded {
  readonly object: Record<string, unknown>
  readonly members: number
}

/** Decodes `input` as an object of `type`. Throws `Irregular`, or an error of a value's own parser. */
export function decodeRegular(type: ObjectType, input: unknown): Decoded {
  membersSeen = 0
  const object = (decoderOf(type)(input) ?? zeroObject(type)) as Record<string, unknown>
  return { object, members: membersSeen }
}

const decoders = new WeakMap<ObjectType, Decode>()

/** Types refer to themselves in places: the decoder is registered before its fields are compiled. */
function decoderOf(type: ObjectType): Decode {
  const known = decoders.get(type)
  if (known) return known
  let compiled: Decode | undefined
  const decode: Decode = (input) => {
    compiled ??= objectDecoder(type)
    return compiled(input)
  }
  decoders.set(type, decode)
  return decode
}

interface FieldPlan {
  readonly name: string
  readonly decode: Decode
  /** What stands in when the field is not given; undefined for nothing. */
  readonly absent: (() => unknown) | undefined
}

function objectDecoder(type: ObjectType): Decode {
  const plans = [...(type.kind && !type.kind.untyped ? typeMetaPlans : []), ...type.fields.map(planField)]
  const places = new Map(plans.map(({ name }, place) => [name, place]))
  return (input) => {
    if (input === null) return undefined
    if (typeof input !== 'object' || Array.isArray(input)) throw irregular
    return decodeFields(plans, placed(input as Record<string, unknown>, places))
  }
}

/**
 * The members that are given, each in the place of its field. An object has few of the fields that its type has: asking it for all
 * of them took most of the time. Keys whose value is undefined do not count: objects made in this process have them, parsed ones
 * never.
 */
function placed(given: Record<string, unknown>, places: ReadonlyMap<string, number>): readonly unknown[] {
  const slots: unknown[] = new Array(places.size).fill(undefined)
  for (const key in given) {
    const value = given[key]
    if (value === undefined) continue
    const place = places.get(key)
    if (place === undefined) throw irregular
    slots[place] = value
    membersSeen++
  }
  return slots
}

function decodeFields(plans: readonly FieldPlan[], slots: readonly unknown[]): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (let place = 0; place < slots.length; place++) {
    const value = slots[place]
    const plan = plans[place]!
    const decoded = value === undefined ? plan.absent?.() : plan.decode(value)
    if (decoded !== undefined) result[plan.name] = decoded
  }
  return result
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
    case 'string':
    case 'enumeration':
      return decodeString
    case 'bool':
      return decodeBool
    case 'int32':
      return decodeInt32
    case 'int64':
      return decodeInt64
    case 'double':
      return decodeDouble
    case 'bytes':
      return decodeBytes
    case 'time':
      return timeDecoder(canonicalTime, zeroTime)
    case 'microTime':
      return timeDecoder(canonicalMicroTime, zeroMicroTime)
    case 'quantity':
      return decodeQuantity
    case 'intOrString':
      return decodeIntOrString
    case 'object':
      return decoderOf(type.object)
    case 'list':
      return listDecoder(type.of)
    case 'map':
      return mapDecoder(type.of)
    case 'either':
      return eitherDecoder(type.options)
    default:
      return decodeAnything
  }
}

function decodeString(input: unknown): unknown {
  if (typeof input === 'string') return input
  if (input === null) return undefined
  throw irregular
}

function decodeBool(input: unknown): unknown {
  if (typeof input === 'boolean') return input
  if (input === null) return undefined
  throw irregular
}

function decodeInt32(input: unknown): unknown {
  if (typeof input === 'number' && (input | 0) === input) return input
  if (input === null) return undefined
  throw irregular
}

function decodeInt64(input: unknown): unknown {
  if (Number.isSafeInteger(input)) return input
  if (input === null) return undefined
  // The exact way hands on what it has checked, beyond the precision of a double, as a bigint.
  if (typeof input === 'bigint') return Number(input)
  throw irregular
}

function decodeDouble(input: unknown): unknown {
  if (typeof input === 'number') return input
  if (input === null) return undefined
  throw irregular
}

function decodeBytes(input: unknown): unknown {
  if (input === null) return undefined
  if (typeof input !== 'string' || Buffer.from(input, 'base64').toString('base64') !== input) throw irregular
  return input
}

/** The zero time stands for none. */
function timeDecoder(canonical: (text: string) => string, zero: string): Decode {
  return (input) => {
    if (input === null) return undefined
    if (typeof input !== 'string') throw irregular
    const text = canonical(input)
    return text === zero ? undefined : text
  }
}

function decodeQuantity(input: unknown): unknown {
  if (typeof input === 'string') return canonicalQuantity(input)
  if (input === null) return undefined
  // A fraction must be read as it was written, which only the exact reader can; so must an exponent, which never comes here.
  if (Number.isSafeInteger(input)) return canonicalQuantity(String(input))
  throw irregular
}

function decodeIntOrString(input: unknown): unknown {
  if (typeof input === 'string' || (typeof input === 'number' && (input | 0) === input)) return input
  if (input === null) return undefined
  throw irregular
}

function listDecoder(of: LinkedType): Decode {
  const decode = typeDecoder(of)
  const zero = zeroOf(of)
  return (input) => {
    if (input === null) return undefined
    if (!Array.isArray(input)) throw irregular
    const result = new Array<unknown>(input.length)
    for (let i = 0; i < input.length; i++) result[i] = decode(input[i]) ?? zero()
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
    membersSeen += keys.length
    if (keys.length > 1) keys.sort()
    const result: Record<string, unknown> = {}
    for (const key of keys) setMember(result, key, decode(given[key]) ?? zero())
    return result
  }
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
    for (const key of Object.keys(value)) {
      membersSeen++
      countDeep((value as Record<string, unknown>)[key], depth + 1)
    }
}
