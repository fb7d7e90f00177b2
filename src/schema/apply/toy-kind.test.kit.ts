import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../declaration.js'
import { int32, intOrString, json, list, map, rawExtension, ref, string, time } from '../fields.js'
import { kind, schema } from '../schema.js'
import { Scheme } from '../scheme.js'
import { type FieldSet, paths, printPath } from './field-set/field-set.js'
import { readFieldsV1 } from './field-set/fields-v1.js'

/** A kind with every type of field that server-side apply distinguishes, and random objects of it. */

const Port = schema('toy/v1.Port', {
  required: { port: int32(1) },
  optional: { protocol: string(2, { default: 'TCP' }), name: string(3), weights: map(4, int32) },
})
const Pair = schema('toy/v1.Pair', { optional: { left: string(1), right: string(2) }, atomic: true })
const Inner = schema('toy/v1.Inner', { optional: { a: string(1), b: intOrString(2), again: ref(3, 'toy/v1.Inner') } })
const Meta = schema('toy/v1.Meta', {
  optional: { name: string(1), uid: string(2), labels: map(3, string), managedFields: list(4, json) },
})
const Toy = kind('toy/v1.Toy', {
  required: { inner: ref(1, 'toy/v1.Inner'), needed: list(2, string, { set: true }) },
  optional: {
    metadata: ref(16, 'toy/v1.Meta', { always: true }),
    title: string(3),
    at: time(4),
    tags: list(5, string, { set: true }),
    ports: list(6, ref('toy/v1.Port'), { keys: ['port', 'protocol'] }),
    named: list(12, ref('toy/v1.Inner'), { keys: ['a'] }),
    args: list(7, string),
    options: map(8, string),
    frozen: map(9, string, { atomic: true }),
    pair: ref(10, 'toy/v1.Pair'),
    free: json(11),
    raw: rawExtension(13),
    innerAtomic: ref(14, 'toy/v1.Inner', { atomic: true }),
    constructor: string(15),
  },
})

const scheme = new Scheme({ declarations: [Port, Pair, Inner, Meta, Toy], groups: [] })

export const toyType = scheme.type('toy/v1.Toy')

const word = fc.constantFrom('a', 'b', 'c', '')
/** Includes names of inherited properties, which must be treated as data. */
const key = fc.constantFrom('a', 'b', '__proto__', 'constructor', 'x y')
const dictionary = fc.dictionary(key, word, { maxKeys: 3 })

const record = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonObject> =>
  fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>

const inner = record({ a: word, b: fc.oneof(word, fc.nat({ max: 3 })), again: record({ a: word }) })
const port = record({
  port: fc.nat({ max: 3 }),
  protocol: fc.constantFrom('TCP', 'UDP'),
  name: word,
  weights: fc.dictionary(key, fc.nat({ max: 3 }), { maxKeys: 2 }),
})
const distinctPorts = fc.uniqueArray(port, {
  maxLength: 3,
  selector: (one) => `${one.port ?? 0}/${one.protocol ?? 'TCP'}`,
})
const anything = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    word,
    fc.nat({ max: 3 }),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(key, tie('value'), { maxKeys: 2 }),
  ),
})).value

const typed = (
  ports: fc.Arbitrary<JsonObject[]>,
  tags: fc.Arbitrary<string[]>,
): Record<string, fc.Arbitrary<unknown>> => ({
  inner,
  needed: tags,
  title: word,
  at: fc.constantFrom('2024-01-01T00:00:00Z', null),
  tags,
  ports,
  args: fc.array(word, { maxLength: 3 }),
  options: dictionary,
  frozen: dictionary,
  pair: record({ left: word, right: word }),
  innerAtomic: inner,
  constructor: word,
})

const toy = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonObject> =>
  record(fields).map((given) => frozenDeep({ apiVersion: 'toy/v1', kind: 'Toy', ...given }))

const distinctWords = fc.uniqueArray(word, { maxLength: 3 })

/** Objects with distinct items and without untyped fields. */
export const typedToy = toy(typed(distinctPorts, distinctWords))
/** Objects with distinct items, as apply requires. */
export const distinctToy = toy({ ...typed(distinctPorts, distinctWords), free: anything, raw: anything })
/** Objects that may have duplicate items, as stored objects may. */
export const anyToy = toy({
  ...typed(fc.array(port, { maxLength: 3 }), fc.array(word, { maxLength: 3 })),
  free: anything,
  raw: anything,
})

/** Freezes a value, so that code that modifies it throws. */
export function frozenDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozenDeep)
    Object.freeze(value)
  }
  return value
}

export function shown(set: FieldSet): string[] {
  return [...paths(set)].map(printPath)
}

/** Asserts that a set does not change when its JSON is read again. */
export function assertCanonical(set: FieldSet): void {
  const text = JSON.stringify(set)
  assert.equal(JSON.stringify(readFieldsV1(JSON.parse(text))), text)
}
