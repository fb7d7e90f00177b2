import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../declaration.js'
import { maximumJsonDepth } from '../decode/json-reader.js'
import type { JsonContainer } from '../json-value.js'
import { applyJsonPatch, type JsonPatchOperation, maximumCopiedBytes } from './json-patch.js'
import { PatchError } from './patch-error.js'

const apply = (document: JsonContainer, ...operations: readonly JsonPatchOperation[]) =>
  applyJsonPatch(document, operations)

function refused(document: JsonContainer, operation: JsonPatchOperation, message: string): void {
  assert.throws(
    () => apply(document, operation),
    (error: unknown) => {
      assert.ok(error instanceof PatchError)
      assert.deepEqual({ failure: error.failure, message: error.message }, { failure: 'inapplicable', message })
      return true
    },
  )
}

test('add sets members, and inserts elements before others or at the end', () => {
  assert.deepEqual(apply({ a: 1 }, { op: 'add', path: '/b', value: 2 }), { a: 1, b: 2 })
  assert.deepEqual(apply({ a: 1 }, { op: 'add', path: '/a', value: 2 }), { a: 2 })
  const list = { l: [1, 2] }
  assert.deepEqual(apply(list, { op: 'add', path: '/l/0', value: 0 }), { l: [0, 1, 2] })
  assert.deepEqual(apply(list, { op: 'add', path: '/l/2', value: 3 }), { l: [1, 2, 3] })
  assert.deepEqual(apply(list, { op: 'add', path: '/l/-', value: 3 }), { l: [1, 2, 3] })
  assert.deepEqual(apply([1], { op: 'add', path: '/-', value: 2 }), [1, 2])
})

test('a missing value is null', () => {
  assert.deepEqual(apply({}, { op: 'add', path: '/a' }), { a: null })
  assert.deepEqual(apply({ a: 1 }, { op: 'replace', path: '/a' }), { a: null })
})

test('remove deletes members and elements', () => {
  assert.deepEqual(apply({ a: 1, b: null }, { op: 'remove', path: '/b' }), { a: 1 })
  assert.deepEqual(apply({ l: [1, 2, 3] }, { op: 'remove', path: '/l/1' }), { l: [1, 3] })
})

test('replace accepts an absent member, as upstream does', () => {
  assert.deepEqual(apply({ a: {} }, { op: 'replace', path: '/a/b', value: 1 }), { a: { b: 1 } })
  assert.deepEqual(apply({ l: [1, 2] }, { op: 'replace', path: '/l/1', value: 5 }), { l: [1, 5] })
})

test('move and copy a value to another path', () => {
  assert.deepEqual(apply({ a: { b: 1 } }, { op: 'move', from: '/a/b', path: '/c' }), { a: {}, c: 1 })
  assert.deepEqual(apply({ l: [1, 2, 3] }, { op: 'move', from: '/l/0', path: '/l/-' }), { l: [2, 3, 1] })
  assert.deepEqual(apply({ a: [1] }, { op: 'copy', from: '/a', path: '/b' }), { a: [1], b: [1] })
})

test('copy from an absent member copies null, as upstream does', () => {
  assert.deepEqual(apply({}, { op: 'copy', from: '/a', path: '/b' }), { b: null })
})

test('a copy and its source change independently', () => {
  const operations = [
    { op: 'add', path: '/a/x', value: 1 },
    { op: 'copy', from: '/a', path: '/b' },
    { op: 'add', path: '/a/y', value: 2 },
    { op: 'add', path: '/b/z', value: 3 },
  ]
  assert.deepEqual(applyJsonPatch({ a: {} }, operations), { a: { x: 1, y: 2 }, b: { x: 1, z: 3 } })
})

test('test passes if the value is as expected', () => {
  const document = { a: { l: [1, { b: 'c' }] }, n: null }
  assert.equal(apply(document, { op: 'test', path: '/a', value: { l: [1, { b: 'c' }] } }), document)
  assert.equal(apply(document, { op: 'test', path: '', value: { n: null, a: { l: [1, { b: 'c' }] } } }), document)
  assert.equal(apply(document, { op: 'test', path: '/n', value: null }), document)
  assert.equal(apply(document, { op: 'test', path: '/missing', value: null }), document)
  refused(document, { op: 'test', path: '/a/l/0', value: '1' }, 'testing value /a/l/0 failed: test failed')
  refused(document, { op: 'test', path: '/missing', value: 1 }, 'testing value /missing failed: test failed')
  refused(
    document,
    { op: 'test', path: '/a/l/9', value: 1 },
    "error in test for path: '/a/l/9': Unable to access invalid index: 9: invalid index referenced",
  )
})

test('negative indices count from the end; signs and leading zeros are ignored', () => {
  assert.deepEqual(apply([1, 2, 3], { op: 'remove', path: '/-1' }), [1, 2])
  assert.deepEqual(apply([1, 2, 3], { op: 'replace', path: '/-3', value: 0 }), [0, 2, 3])
  assert.deepEqual(apply([1, 2], { op: 'add', path: '/-1', value: 3 }), [1, 2, 3])
  assert.deepEqual(apply([1, 2], { op: 'remove', path: '/+01' }), [1])
  refused(
    [1],
    { op: 'remove', path: '/-2' },
    "error in remove for path: '/-2': Unable to access invalid index: -2: invalid index referenced",
  )
})

test('~1 and ~0 are unescaped to a slash and a tilde, in this order', () => {
  const document = { labels: { 'example.com/a~b': 1, '~1': 2 } }
  assert.deepEqual(apply(document, { op: 'remove', path: '/labels/example.com~1a~0b' }), { labels: { '~1': 2 } })
  assert.deepEqual(apply(document, { op: 'remove', path: '/labels/~01' }), { labels: { 'example.com/a~b': 1 } })
})

test('text before the first slash of a path is ignored', () => {
  assert.deepEqual(apply({ a: { b: 1 } }, { op: 'remove', path: 'ignored/a/b' }), { a: {} })
})

test('an empty key is a key', () => {
  assert.deepEqual(apply({ '': 1 }, { op: 'replace', path: '/', value: 2 }), { '': 2 })
})

test('the whole document can be replaced, by an object or a list', () => {
  assert.deepEqual(apply({ a: 1 }, { op: 'replace', path: '', value: { b: 2 } }), { b: 2 })
  refused({ a: 1 }, { op: 'replace', path: '', value: 'b' }, 'replace operation value must be object or array')
  refused(
    { a: 1 },
    { op: 'add', path: '', value: {} },
    'add operation does not apply: doc is missing path: "": missing value',
  )
})

const failures: readonly [JsonPatchOperation, string][] = [
  [{ op: 'add', path: '/x/y', value: 1 }, 'add operation does not apply: doc is missing path: "/x/y": missing value'],
  [{ op: 'add', path: '/s/y', value: 1 }, 'add operation does not apply: doc is missing path: "/s/y": missing value'],
  [
    { op: 'add', path: '/l/9', value: 1 },
    "error in add for path: '/l/9': Unable to access invalid index: 9: invalid index referenced",
  ],
  [
    { op: 'add', path: '/l/x', value: 1 },
    `error in add for path: '/l/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
  ],
  [{ op: 'add', value: 1 }, 'add operation failed to decode path: missing value'],
  [{ op: 'remove', path: '/x' }, "error in remove for path: '/x': Unable to remove nonexistent key: x: missing value"],
  [{ op: 'remove', path: '/l/-' }, `error in remove for path: '/l/-': strconv.Atoi: parsing "-": invalid syntax`],
  [
    { op: 'replace', path: '/l/9', value: 1 },
    'replace operation does not apply: doc is missing key: /l/9: missing value',
  ],
  [
    { op: 'move', from: '/x', path: '/y' },
    "error in move for path: 'x': Unable to remove nonexistent key: x: missing value",
  ],
  [
    { op: 'move', from: '/o', path: '/o/p' },
    'move operation does not apply: doc is missing destination path: /o/p: missing value',
  ],
  [
    { op: 'copy', from: '/l/9', path: '/y' },
    "error in copy for from: '/l/9': Unable to access invalid index: 9: invalid index referenced",
  ],
  [{ op: 'merge', path: '/s' }, 'Unexpected kind: merge'],
  [{ op: 'constructor', path: '/s' }, 'Unexpected kind: constructor'],
  [{ path: '/s' }, 'Unexpected kind: unknown'],
]
for (const [operation, message] of failures) {
  test(`${JSON.stringify(operation)} fails: ${message}`, () => refused({ s: 'x', l: [1], o: {} }, operation, message))
}

test('a failed operation does not change the document', () => {
  const document = { a: 1 }
  assert.throws(() => apply(document, { op: 'add', path: '/b', value: 1 }, { op: 'remove', path: '/c' }), PatchError)
  assert.deepEqual(document, { a: 1 })
})

test('unchanged parts stay shared, and neither document nor patch is modified', () => {
  const document = { touched: { a: 1 }, untouched: { b: 2 } }
  const value = { c: 3 }
  const result = apply(
    document,
    { op: 'add', path: '/touched/v', value },
    { op: 'add', path: '/touched/v/d', value: 4 },
  )
  assert.deepEqual(result, { touched: { a: 1, v: { c: 3, d: 4 } }, untouched: { b: 2 } })
  assert.equal((result as typeof document).untouched, document.untouched)
  assert.deepEqual(document, { touched: { a: 1 }, untouched: { b: 2 } })
  assert.deepEqual(value, { c: 3 })
})

test('__proto__ is a key like any other', () => {
  const document = JSON.parse('{"__proto__":{"a":1}}') as JsonContainer
  const result = apply(document, { op: 'add', path: '/__proto__/b', value: 2 })
  assert.equal(JSON.stringify(result), '{"__proto__":{"a":1,"b":2}}')
  assert.equal(JSON.stringify(apply({}, { op: 'add', path: '/__proto__', value: { x: 1 } })), '{"__proto__":{"x":1}}')
  refused(
    {},
    { op: 'remove', path: '/__proto__' },
    "error in remove for path: '/__proto__': Unable to remove nonexistent key: __proto__: missing value",
  )
  refused(
    {},
    { op: 'add', path: '/constructor/x', value: 1 },
    'add operation does not apply: doc is missing path: "/constructor/x": missing value',
  )
})

test('all copies together are limited to three megabytes', () => {
  const value = 'x'.repeat(1024 * 1024)
  const copies = ['/b', '/c'].map((path) => ({ op: 'copy', from: '/a', path }))
  assert.equal(Object.keys(applyJsonPatch({ a: value }, copies)).length, 3)
  assert.throws(
    () => applyJsonPatch({ a: value }, [...copies, { op: 'copy', from: '/a', path: '/d' }]),
    new RegExp(
      `accumulated size increase of copy is ${3 * (1024 * 1024 + 2)}, exceeding the limit ${maximumCopiedBytes}`,
    ),
  )
})

test('values nested too deep are rejected, in the patch and in the result', () => {
  const nested = (depth: number): JsonValue => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as JsonValue
  const tooDeep = { name: 'PatchError', message: 'exceeded max depth' }
  assert.ok(apply({}, { op: 'add', path: '/a', value: nested(maximumJsonDepth - 1) }))
  assert.throws(() => apply({}, { op: 'add', path: '/a', value: nested(100_000) }), tooDeep)
  const doubling = Array.from({ length: 12 }, (_, round) => {
    return { op: 'copy', from: '/a', path: `/a${'/0'.repeat(2 ** round)}` }
  })
  assert.throws(() => applyJsonPatch({ a: [] }, doubling), tooDeep)
  const sinking = Array.from({ length: 2_000 }, () => [
    { op: 'move', from: '/a', path: '/b/a' },
    { op: 'move', from: '/b', path: '/a' },
    { op: 'add', path: '/b', value: {} },
  ])
  assert.throws(() => applyJsonPatch({ a: {}, b: {} }, sinking.flat()), tooDeep)
})

test('ten thousand operations on a large object copy it once', () => {
  const document = { data: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key-${index}`, 'v'])) }
  const operations = Array.from({ length: 10_000 }, (_, index) => ({
    op: 'replace',
    path: `/data/key-${index}`,
    value: 'w',
  }))
  const result = applyJsonPatch(document, operations) as typeof document
  assert.equal(Object.values(result.data).filter((value) => value === 'w').length, 10_000)
})
