import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../declaration.js'
import { isObject } from '../json-value.js'
import { applyMergePatch, diffMergePatch, diffMergePatchThreeWay } from './merge-patch.js'
import { withoutNullMembers } from './null-members.js'

/** The examples of RFC 7386, appendix A: document, patch, result. */
const examples: readonly [JsonValue, JsonValue, JsonValue][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]
for (const [document, patch, result] of examples) {
  test(`${JSON.stringify(document)} patched with ${JSON.stringify(patch)} is ${JSON.stringify(result)}`, () => {
    assert.deepEqual(applyMergePatch(document, patch), result)
  })
}

test('null members of new values are dropped, inside lists as well, but null elements stay', () => {
  assert.deepEqual(applyMergePatch({}, { a: [{ b: null, c: 1 }, null] }), { a: [{ c: 1 }, null] })
  assert.deepEqual(applyMergePatch({ a: null }, { a: { b: null } }), { a: {} })
})

test('a patch without effect returns the same object', () => {
  const document = { a: { b: [1, { c: 2 }] }, d: 3 }
  assert.equal(applyMergePatch(document, { a: { b: [1, { c: 2 }], x: null }, d: 3 }), document)
})

test('__proto__ is a key like any other', () => {
  const patch = JSON.parse('{"__proto__":{"a":1}}') as JsonObject
  const result = applyMergePatch({}, patch)
  assert.equal(JSON.stringify(result), '{"__proto__":{"a":1}}')
  assert.equal(Object.getPrototypeOf(result), Object.prototype)
  assert.equal(JSON.stringify(diffMergePatch(patch, {})), '{"__proto__":null}')
})

test('a patch nested too deep is rejected, and does not overflow the stack', () => {
  const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as JsonObject
  assert.deepEqual(applyMergePatch(nested(999), nested(999)), nested(999))
  assert.deepEqual(diffMergePatch(nested(999), nested(999)), {})
  for (const depth of [1_001, 200_000])
    assert.throws(() => applyMergePatch({}, nested(depth)), { name: 'PatchError', message: 'exceeded max depth' })
  assert.throws(() => diffMergePatch({}, nested(200_000)), { name: 'PatchError', message: 'exceeded max depth' })
})

test('the difference contains new, changed and removed members', () => {
  const original = { same: 1, changed: 1, gone: 1, list: [1, 2], nested: { same: {}, gone: 1 } }
  const modified = { same: 1, changed: '1', list: [1], nested: { same: {}, fresh: {} }, fresh: [null] }
  assert.deepEqual(diffMergePatch(original, modified), {
    gone: null,
    changed: '1',
    list: [1],
    nested: { gone: null, fresh: {} },
    fresh: [null],
  })
})

test('three-way: applied values win, values no longer applied are removed, other values stay', () => {
  const original = { spec: { replicas: 1, old: 'x', nested: { old: 1 } }, metadata: { labels: { a: '1', b: '2' } } }
  const modified = { spec: { replicas: 3, fresh: {}, nested: {} }, metadata: { labels: { a: '1' } } }
  const current = {
    spec: { replicas: 2, old: 'x', nested: { old: 1, theirs: 2 } },
    metadata: { labels: { a: 'drifted', b: '2', theirs: 'c' } },
  }
  const patch = diffMergePatchThreeWay(original, modified, current)
  assert.deepEqual(patch, {
    spec: { replicas: 3, old: null, fresh: {}, nested: { old: null } },
    metadata: { labels: { a: '1', b: null } },
  })
  assert.deepEqual(applyMergePatch(current, patch), {
    spec: { replicas: 3, fresh: {}, nested: { theirs: 2 } },
    metadata: { labels: { a: '1', theirs: 'c' } },
  })
})

const objects = fc
  .object({ maxDepth: 3, key: fc.constantFrom('a', 'b', 'c', '', '__proto__', 'constructor') })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject)
const withoutNulls = objects.map((object) => withoutNullMembers(object) as JsonObject)

test('applying the difference to the original gives the modified document', () => {
  fc.assert(
    fc.property(objects, withoutNulls, (original, modified) => {
      assert.deepEqual(applyMergePatch(original, diffMergePatch(original, modified)), modified)
    }),
  )
})

test('applying a merge patch twice has the same result as once', () => {
  fc.assert(
    fc.property(objects, objects, (document, patch) => {
      const before = JSON.stringify([document, patch])
      const once = applyMergePatch(document, patch)
      assert.deepEqual(applyMergePatch(once, patch), once)
      assert.equal(JSON.stringify([document, patch]), before)
    }),
  )
})

test('three-way: without drift it is the difference, and empty after it was applied', () => {
  fc.assert(
    fc.property(withoutNulls, withoutNulls, withoutNulls, (original, modified, current) => {
      assert.deepEqual(applyMergePatch(original, diffMergePatchThreeWay(original, modified, original)), modified)
      const applied = applyMergePatch(current, diffMergePatchThreeWay(original, modified, current))
      assert.ok(isObject(applied))
      assert.deepEqual(diffMergePatchThreeWay(modified, modified, applied), {})
    }),
  )
})
