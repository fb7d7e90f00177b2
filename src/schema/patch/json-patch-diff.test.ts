import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonContainer } from '../json-value.js'
import { applyJsonPatch } from './json-patch.js'
import { diffJsonPatch } from './json-patch-diff.js'

test('removed, new and changed members', () => {
  assert.deepEqual(diffJsonPatch({ a: 1, b: 2, c: { d: 3 } }, { b: 5, c: { d: 3, e: 4 } }), [
    { op: 'remove', path: '/a' },
    { op: 'replace', path: '/b', value: 5 },
    { op: 'add', path: '/c/e', value: 4 },
  ])
})

test('lists keep equal elements at both ends', () => {
  assert.deepEqual(diffJsonPatch([1, 2, 3], [1, 9, 2, 3]), [{ op: 'add', path: '/1', value: 9 }])
  assert.deepEqual(diffJsonPatch([1, 2, 3, 4], [1, 4]), [
    { op: 'remove', path: '/2' },
    { op: 'remove', path: '/1' },
  ])
  assert.deepEqual(diffJsonPatch([{ a: 1 }], [{ a: 2 }]), [{ op: 'replace', path: '/0/a', value: 2 }])
})

test('equal documents have no operations', () => {
  assert.deepEqual(diffJsonPatch({ a: [1, { b: null }] }, { a: [1, { b: null }] }), [])
})

test('keys are escaped', () => {
  assert.deepEqual(diffJsonPatch({}, { 'a/b~c': 1 }), [{ op: 'add', path: '/a~1b~0c', value: 1 }])
})

const documents = fc
  .oneof(
    fc.object({ maxDepth: 3, key: fc.constantFrom('a', 'b', '', '/', '~', '__proto__', '0', '-') }),
    fc.array(fc.json().map((text) => JSON.parse(text) as unknown)),
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonContainer)

test('applying the difference to the original gives the modified document', () => {
  fc.assert(
    fc.property(documents, documents, (original, modified) => {
      const before = JSON.stringify(original)
      const result = applyJsonPatch(original, diffJsonPatch(original, modified))
      assert.deepEqual(result, modified)
      assert.equal(JSON.stringify(original), before)
    }),
  )
})
