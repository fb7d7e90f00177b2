import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../declaration.js'
import { isList, isObject, setMember } from '../../json-value.js'
import { emptySet, setOf } from '../field-set/field-set.js'
import { contains, difference } from '../field-set/set-algebra.js'
import { plainChanges } from '../plain-changes.test.kit.js'
import { anyToy, assertCanonical, shown, toyType } from '../toy-kind.test.kit.js'
import { compareObjects } from './compare.js'
import { ItemError } from './items.js'
import { mergeObjects } from './merge.js'
import { removeFields } from './remove.js'
import { anyShape, type StructShape } from './shape.js'
import { emptyObject, shapeOf } from './shape-of.js'
import { configurationProblems } from './validation.js'
import { allFieldsBelow, configuredFields } from './value-fields.js'

const toy = shapeOf(toyType)
/** Makes the order of elements visible. */
const text = (value: object): string => JSON.stringify(value)

test('an applier owns leaves, items and map keys; a creator owns all other fields as well', () => {
  const value: JsonObject = {
    apiVersion: 'toy/v1',
    kind: 'Toy',
    inner: { a: 'x', again: {} },
    tags: ['t', '<u>'],
    ports: [
      { port: 443, name: 'https' },
      { port: 80, weights: { w: 1 } },
    ],
    args: ['-v'],
    options: { b: '1', a: '2' },
    frozen: { a: '1' },
    pair: { left: 'l' },
    free: { deep: { er: [1] }, flat: 1, none: null },
    raw: { a: { b: 1 } },
    needed: [],
    at: null,
  }
  const configured = configuredFields(toy, value)
  assertCanonical(configured)
  assert.deepEqual(configured, {
    'f:apiVersion': {},
    'f:args': {},
    'f:at': {},
    'f:free': { 'f:deep': { '.': {}, 'f:er': {} }, 'f:flat': {}, 'f:none': {} },
    'f:frozen': {},
    'f:inner': { 'f:a': {}, 'f:again': {} },
    'f:kind': {},
    'f:options': { 'f:a': {}, 'f:b': {} },
    'f:pair': {},
    'f:ports': {
      'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {}, 'f:weights': { 'f:w': {} } },
      'k:{"port":443,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} },
    },
    'f:raw': {},
    'f:tags': { 'v:"\\u003cu\\u003e"': {}, 'v:"t"': {} },
  })
  assert.deepEqual(shown(difference(allFieldsBelow(toy, value), configured)).sort(), [
    '.free',
    '.inner',
    '.needed',
    '.options',
    '.ports',
    '.ports[port=80,protocol="TCP"].weights',
    '.tags',
  ])
})

test('of duplicate items only their existence has an owner', () => {
  const value: JsonObject = { tags: ['t', 't', 'u'], ports: [{ port: 1, name: 'a' }, { port: 1 }] }
  assert.deepEqual(configuredFields(toy, value), {
    'f:ports': { 'k:{"port":1,"protocol":"TCP"}': {} },
    'f:tags': { 'v:"t"': {}, 'v:"u"': {} },
  })
})

test('items without an identity are rejected', () => {
  for (const [value, message] of [
    [{ tags: [null] }, "associative list without keys has an element that's an explicit null"],
    [{ tags: [{}] }, "associative list without keys has an element that's a map type"],
    [{ tags: [[]] }, 'not supported: associative list with lists as elements'],
    [{ ports: [null] }, 'associative list with keys may not have a null element'],
    [{ ports: ['x'] }, 'associative list with keys may not have non-map elements'],
    [
      { named: [{ b: 'x' }] },
      `associative list with keys has an element that omits all key fields ["a"] (and doesn't have default values for any key fields)`,
    ],
  ] as const)
    assert.throws(() => configuredFields(toy, value), new ItemError(message))
})

test('the configured fields are a subset of all fields', () => {
  fc.assert(
    fc.property(anyToy, (value) => {
      const [all, configured] = [allFieldsBelow(toy, value), configuredFields(toy, value)]
      assertCanonical(all)
      assertCanonical(configured)
      assert.ok(contains(all, configured))
    }),
  )
})

test('sets of fields are complete when their names exceed the size of the pool', () => {
  const names = Array.from({ length: 25_000 }, (_, index) => `n${index}`)
  const options = Object.fromEntries(names.map((name) => [name, '']))
  const all = allFieldsBelow(toy, { options, title: 'a' })
  assertCanonical(all)
  assert.deepEqual(Object.keys(all['f:options']!).length, names.length + 1)
  assert.deepEqual(allFieldsBelow(toy, { title: 'a', needed: [] }), { 'f:needed': {}, 'f:title': {} })
  assert.deepEqual(configuredFields(toy, { title: 'a', needed: [] }), setOf(['f:title']))
})

test('undeclared fields have owners where the shape allows such fields', () => {
  const open: StructShape = { ...toy, others: anyShape }
  const value = { zz: { b: 1, a: [2] }, title: 't', aa: 1, options: { k: 'v' } }
  assert.deepEqual(configurationProblems(toy, value), ['.zz: field not declared in schema'])
  assert.deepEqual(configurationProblems(open, value), [])
  const set = configuredFields(open, value)
  assertCanonical(set)
  const zz = { '.': {}, 'f:a': {}, 'f:b': {} }
  assert.deepEqual(set, { 'f:aa': {}, 'f:options': { 'f:k': {} }, 'f:title': {}, 'f:zz': zz })
  const { changed, removed } = compareObjects(open, value, { zz: { b: 2 }, title: 't', bb: 1 })
  assert.deepEqual(shown(changed), ['.bb', '.zz.b'])
  assert.deepEqual(shown(removed), ['.aa', '.options', '.options.k', '.zz.a'])
  assert.deepEqual(mergeObjects(open, value, { zz: { c: 3 } }).zz, { b: 1, a: [2], c: 3 })
  assert.deepEqual(removeFields(open, value, setOf(['f:zz', 'f:a'], ['f:aa'])).zz, { b: 1 })
})

test('an object and its copy do not differ, whatever the order of keys', () => {
  fc.assert(
    fc.property(anyToy, (value) => {
      const copy = Object.fromEntries(Object.entries(structuredClone(value)).reverse())
      assert.deepEqual(compareObjects(toy, value, copy), { changed: emptySet, removed: emptySet })
    }),
  )
})

test('comparison of existing members agrees with comparison of all declared members', () => {
  fc.assert(
    fc.property(anyToy, anyToy, (before, after) => {
      for (const from of [before, emptyObject(toy)])
        assert.equal(text(compareObjects(toy, from, after)), text(plainChanges(toy, from, after)))
    }),
    { numRuns: 500 },
  )
})

test('sets of fields do not depend on the order of members and items', () => {
  fc.assert(
    fc.property(anyToy, anyToy, (before, after) => {
      const [back, forth] = [reversed(before), reversed(after)]
      assert.equal(text(allFieldsBelow(toy, back)), text(allFieldsBelow(toy, before)))
      assert.equal(text(configuredFields(toy, back)), text(configuredFields(toy, before)))
      assert.equal(text(compareObjects(toy, back, forth)), text(compareObjects(toy, before, after)))
    }),
  )
})

/** Members and items in the opposite order, all the way down. */
function reversed<T extends JsonValue>(value: T): T
function reversed(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(reversed).reverse()
  if (!isObject(value)) return value
  const opposite: Record<string, JsonValue> = {}
  for (const name of Object.keys(value).reverse()) setMember(opposite, name, reversed(value[name]!))
  return opposite
}

test('objects that have the same fields have the same set', () => {
  const one = allFieldsBelow(toy, { title: 'a', ports: [{ port: 1, name: 'x' }], options: { k: '1' } })
  const other = allFieldsBelow(toy, { title: 'b', ports: [{ port: 1, name: 'y' }], options: { k: '2' } })
  assert.equal(one, other)
})

test('changed and removed fields between two objects', () => {
  const before = {
    title: 'a',
    tags: ['x', 'y'],
    options: { a: '1', b: '2' },
    free: { a: 1 },
    ports: [{ port: 1, name: 'p' }],
  }
  const after = {
    title: 'b',
    tags: ['y', 'z'],
    options: { b: '2', c: '3' },
    free: 'text',
    ports: [{ port: 1 }, { port: 2 }],
  }
  const { changed, removed } = compareObjects(toy, before, after)
  assert.deepEqual(shown(changed), [
    '.free',
    '.title',
    '.options.c',
    '.ports[port=2,protocol="TCP"]',
    '.ports[port=2,protocol="TCP"].port',
    '.tags[="z"]',
  ])
  assert.deepEqual(shown(removed), ['.free.a', '.options.a', '.ports[port=1,protocol="TCP"].name', '.tags[="x"]'])
})

test('changed fields between the empty object and a new one', () => {
  const empty = emptyObject(toy)
  assert.deepEqual(empty, { inner: {}, metadata: {}, needed: null })
  const { changed } = compareObjects(toy, empty, { inner: { a: 'x' }, needed: ['n'], tags: ['t'] })
  assert.deepEqual(shown(changed), ['.tags', '.inner.a', '.needed[="n"]', '.tags[="t"]'])
})

test('duplicate items change as one', () => {
  const [one, two] = [
    { port: 1, name: 'a' },
    { port: 1, name: 'b' },
  ]
  const compared = (before: JsonValue[], after: JsonValue[]): [string[], string[]] => {
    const { changed, removed } = compareObjects(toy, { ports: before }, { ports: after })
    return [shown(changed), shown(removed)]
  }
  const item = '.ports[port=1,protocol="TCP"]'
  const fields = [item, `${item}.name`, `${item}.port`]
  assert.deepEqual(compared([one, two], [one, two]), [[], []])
  assert.deepEqual(compared([one, two], [two, one]), [[item], []])
  assert.deepEqual(compared([one, two], [one]), [fields, [item]])
  assert.deepEqual(compared([one], [one, two]), [[item], fields])
  assert.deepEqual(compared([one, two], [{ port: 2 }])[1], [item])
})

test('null and empty differ only if both sides are null or empty', () => {
  const changed = (before: JsonObject, after: JsonObject): string[] => shown(compareObjects(toy, before, after).changed)
  assert.deepEqual(changed({ options: null }, { options: {} }), ['.options'])
  assert.deepEqual(changed({ options: null }, { options: { a: '' } }), ['.options.a'])
  assert.deepEqual(changed({}, { options: { a: '' } }), ['.options', '.options.a'])
  assert.deepEqual(changed({ tags: null }, { tags: [] }), ['.tags'])
  assert.deepEqual(changed({ free: null }, { free: { a: 1 } }), ['.free.a'])
  assert.deepEqual(changed({ free: 1 }, { free: { a: 1 } }), ['.free', '.free.a'])
})

test('fields removed in one direction are added in the other', () => {
  fc.assert(
    fc.property(anyToy, anyToy, (a, b) => {
      const there = compareObjects(toy, a, b)
      const back = compareObjects(toy, b, a)
      for (const set of [there.changed, there.removed]) assertCanonical(set)
      assert.ok(contains(back.changed, there.removed))
      assert.ok(contains(there.changed, back.removed))
    }),
  )
})
