import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../declaration.js'
import type { FieldValidation } from '../decode/decoder.js'
import { decodeJsonPatch, decodeMergePatch, decodeStrategicPatch } from './documents.js'
import { PatchError } from './patch-error.js'

function refused(decode: () => unknown, failure: string, message: string): void {
  assert.throws(decode, (error: unknown) => {
    assert.ok(error instanceof PatchError)
    assert.deepEqual({ failure: error.failure, message: error.message }, { failure, message })
    return true
  })
}

test('a JSON patch is a list of operations', () => {
  const operations: JsonValue = [
    { op: 'add', path: '/a', value: null },
    { op: 'move', from: '/a', path: '/b' },
  ]
  assert.deepEqual(decodeJsonPatch(operations, 'Strict'), { operations, problems: [] })
})

test('null is a patch without operations, and a null operation has no members', () => {
  assert.deepEqual(decodeJsonPatch(null, 'Strict'), { operations: [], problems: [] })
  assert.deepEqual(decodeJsonPatch([null, { op: null, value: 1 }], 'Warn').operations, [{}, { value: 1 }])
})

const malformed: readonly [JsonValue, FieldValidation, string][] = [
  [
    { op: 'remove', path: '/a' },
    'Strict',
    'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
  ],
  ['add', 'Warn', 'error decoding patch: json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp'],
  [true, 'Warn', 'error decoding patch: json: cannot unmarshal bool into Go value of type []handlers.jsonPatchOp'],
  [[{}, 5], 'Warn', 'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
  [[[]], 'Warn', 'error decoding patch: json: cannot unmarshal array into Go value of type handlers.jsonPatchOp'],
  [
    [{ op: 5 }],
    'Strict',
    'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
  ],
  [
    [{ from: {}, path: [] }],
    'Warn',
    'error decoding patch: json: cannot unmarshal object into Go struct field jsonPatchOp.from of type string',
  ],
  [
    [{ op: 5 }, 5],
    'Warn',
    'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
  ],
  [{}, 'Ignore', 'json: cannot unmarshal object into Go value of type jsonpatch.Patch'],
  [[5], 'Ignore', 'json: cannot unmarshal number into Go value of type jsonpatch.Operation'],
]
for (const [document, validation, message] of malformed) {
  test(`${JSON.stringify(document)} is not a JSON patch (${validation})`, () => {
    refused(() => decodeJsonPatch(document, validation), 'malformed', message)
  })
}

test('members of a wrong type count as absent under Ignore', () => {
  assert.deepEqual(decodeJsonPatch([{ op: 5, path: '/a' }], 'Ignore').operations, [{ path: '/a' }])
})

test('unknown members of operations are reported, except under Ignore', () => {
  const document = JSON.parse('[{"op":"test","extra":1,"path":"/a"},{"OP":"test","__proto__":"x"}]') as JsonValue
  const problems = ['[0].extra', '[1].OP', '[1].__proto__'].map((path) => `json patch unknown field "${path}"`)
  assert.deepEqual(decodeJsonPatch(document, 'Warn').problems, problems)
  assert.deepEqual(decodeJsonPatch(document, 'Warn').operations, [{ op: 'test', path: '/a' }, {}])
  assert.deepEqual(decodeJsonPatch(document, 'Ignore').problems, [])
})

test('at most a hundred unknown members are reported', () => {
  const document = Array.from({ length: 150 }, () => ({ extra: 1 }))
  assert.equal(decodeJsonPatch(document, 'Strict').problems.length, 100)
})

test('a JSON patch has at most ten thousand operations', () => {
  const operations = (count: number) => Array.from({ length: count }, () => ({ op: 'test', path: '/a' }))
  assert.equal(decodeJsonPatch(operations(10_000), 'Warn').operations.length, 10_000)
  const message = 'The allowed maximum operations in a JSON patch is 10000, got 10001'
  refused(() => decodeJsonPatch(operations(10_001), 'Warn'), 'tooLarge', message)
})

test('a merge patch is an object', () => {
  assert.deepEqual(decodeMergePatch({ a: 1 }, 'Strict'), { a: 1 })
  const message = 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}'
  refused(() => decodeMergePatch([1, 2], 'Warn'), 'malformed', message)
  refused(() => decodeMergePatch(null, 'Strict'), 'malformed', 'Invalid JSON Patch')
  refused(() => decodeMergePatch('a', 'Ignore'), 'malformed', 'Invalid JSON Patch')
  assert.deepEqual(decodeMergePatch([1, 2], 'Ignore'), [1, 2])
})

test('a strategic merge patch is an object, or null for nothing', () => {
  assert.deepEqual(decodeStrategicPatch({ a: 1 }), { a: 1 })
  assert.deepEqual(decodeStrategicPatch(null), {})
  const message = 'json: cannot unmarshal string into Go value of type map[string]interface {}'
  refused(() => decodeStrategicPatch('a'), 'malformed', message)
})
