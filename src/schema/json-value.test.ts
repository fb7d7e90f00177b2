import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { extensibleCopy, sameJson, withMember } from './json-value.js'

const parsed = (text: string) => JSON.parse(text)

describe('sameJson', () => {
  test('ignores the order of keys, at any depth', () => {
    assert.ok(sameJson({ a: 1, b: { c: [1, { d: 2, e: 3 }] } }, { b: { c: [1, { e: 3, d: 2 }] }, a: 1 }))
    assert.ok(!sameJson({ a: 1, b: 2 }, { b: 1, a: 2 }))
  })

  test('tells objects with other keys and lists in another order apart', () => {
    assert.ok(!sameJson({ a: 1 }, { b: 1 }))
    assert.ok(!sameJson({ a: undefined }, { b: undefined }))
    assert.ok(!sameJson({ a: 1 }, { a: 1, b: null }))
    assert.ok(!sameJson([1, 2], [2, 1]))
    assert.ok(!sameJson([1], [1, 2]))
    assert.ok(!sameJson([], {}))
  })

  test('ignores inherited members', () => {
    assert.ok(!sameJson(parsed('{"__proto__":{}}'), { a: {} }))
    assert.ok(sameJson(parsed('{"__proto__":{"a":1}}'), parsed('{"__proto__":{"a":1}}')))
  })
})

describe('a copy', () => {
  test('can get more members without changing the original', () => {
    const object: { a: number; b?: number } = { a: 1 }
    const copy = extensibleCopy(object)
    copy.b = 2
    assert.deepEqual([object, copy], [{ a: 1 }, { a: 1, b: 2 }])
  })

  test('treats __proto__ as a member', () => {
    const copy = withMember(parsed('{"__proto__":{"a":1}}'), 'b', 2)
    assert.equal(JSON.stringify(copy), '{"__proto__":{"a":1},"b":2}')
    assert.equal(Object.getPrototypeOf(copy), Object.prototype)
  })

  test('keeps the order of members, including the one that gets another value', () =>
    assert.equal(JSON.stringify(withMember({ a: 1, b: 2 }, 'a', 3)), '{"a":3,"b":2}'))
})
