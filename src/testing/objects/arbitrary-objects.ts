import * as fc from 'fast-check'
import { setMember } from '../../schema/json-value.js'
import type { LinkedType, ObjectField, ObjectType } from '../../schema/model.js'

/**
 * Generates random objects from a type's declaration, for property tests: any subset of fields in any order, with zeros and nulls. Every value
 * fits its type, but validation across fields is ignored.
 */
export function arbitraryObject(
  type: ObjectType,
  options: ArbitraryOptions = {},
): fc.Arbitrary<Record<string, unknown>> {
  return objectOf(type, { depth: options.depth ?? 4, nulls: options.nulls ?? true })
}

export interface ArbitraryOptions {
  /** The maximum depth of objects, lists and maps. */
  readonly depth?: number
  /** Whether fields may be null. */
  readonly nulls?: boolean
}

type Settings = Required<ArbitraryOptions>

function objectOf(type: ObjectType, settings: Settings): fc.Arbitrary<Record<string, unknown>> {
  const fields = type.fields.filter((field) => settings.depth > 0 || isScalar(field.type))
  if (fields.length === 0) return fc.constant({})
  return fc.shuffledSubarray([...fields], { maxLength: Math.min(fields.length, 8) }).chain((chosen) =>
    fc.tuple(...chosen.map((field) => fieldOf(field, settings))).map((values) => {
      const result: Record<string, unknown> = {}
      for (const [i, { name }] of chosen.entries()) setMember(result, name, values[i])
      return result
    }),
  )
}

function fieldOf(field: ObjectField, settings: Settings): fc.Arbitrary<unknown> {
  const value = fieldValue(field, settings)
  return settings.nulls ? fc.option(value, { freq: 10 }) : value
}

function fieldValue({ type, options }: ObjectField, settings: Settings): fc.Arbitrary<unknown> {
  if (type.is !== 'list') return typed(type, settings)
  const { keys, set, mergeKey } = options
  const identity = keys ?? (mergeKey ? [mergeKey] : undefined)
  if (!identity && !set) return typed(type, settings)
  return fc.uniqueArray(typed(type.of, { ...settings, nulls: false, depth: settings.depth - 1 }), {
    maxLength: 3,
    selector: (element) => (identity ? identityOf(element, identity) : JSON.stringify(element)),
  })
}

/** Elements of a keyed list must differ in their keys. Absent and zero keys are equal. */
function identityOf(element: unknown, keys: readonly string[]): string {
  return JSON.stringify(keys.map((key) => (element as Record<string, unknown>)[key] || null))
}

function isScalar(type: LinkedType): boolean {
  return type.is !== 'object' && type.is !== 'list' && type.is !== 'map' && type.is !== 'either'
}

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/)
const anyText = fc.oneof({ weight: 4, arbitrary: word }, fc.string({ maxLength: 12 }), fc.constant(''))
const anyKey = fc.oneof(
  { weight: 8, arbitrary: word },
  fc.constantFrom('__proto__', 'constructor', 'toString', 'a.b/c', '0', '10', ''),
)
const int32 = fc.oneof(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.constantFrom(0, 1, 80))
const microseconds = fc.integer({ min: 0, max: 999_999 }).map((micro) => String(micro).padStart(6, '0'))
const seconds = fc.integer({ min: 0, max: 4_102_444_800 })
const quantity = fc
  .tuple(
    fc.integer({ min: -10_000, max: 1_000_000 }),
    fc.constantFrom('', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'n'),
  )
  .map(([number, suffix]) => `${number}${suffix}`)

function typed(type: LinkedType, settings: Settings): fc.Arbitrary<unknown> {
  const deeper = { ...settings, depth: settings.depth - 1 }
  switch (type.is) {
    case 'object':
      return objectOf(type.object, deeper)
    case 'list':
      return fc.array(typed(type.of, deeper), { maxLength: settings.depth > 0 ? 3 : 0 })
    case 'map':
      return fc.dictionary(anyKey, typed(type.of, deeper), { maxKeys: settings.depth > 0 ? 3 : 0 })
    case 'either':
      return fc.oneof(...type.alternatives.map((option) => typed(option, deeper)))
    case 'enumeration':
      return fc.constantFrom(...type.values)
    default:
      return scalar(type.is)
  }
}

function scalar(is: string): fc.Arbitrary<unknown> {
  switch (is) {
    case 'bool':
      return fc.boolean()
    case 'int32':
      return int32
    case 'int64':
      return fc.maxSafeInteger()
    case 'double':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'bytes':
      return fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('base64'))
    case 'time':
      return seconds.map((second) => new Date(second * 1000).toISOString().replace(/\.\d+Z$/, 'Z'))
    case 'microTime':
      return fc
        .tuple(seconds, microseconds)
        .map(([second, micro]) => new Date(second * 1000).toISOString().replace(/\.\d+Z$/, `.${micro}Z`))
    case 'quantity':
      return quantity
    case 'intOrString':
      return fc.oneof(int32, word)
    case 'string':
      return anyText
    default:
      return fc.jsonValue({ maxDepth: 3 })
  }
}
