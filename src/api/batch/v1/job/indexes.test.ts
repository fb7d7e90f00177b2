import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { countIndexes, overlapOf } from './indexes.js'

describe('indexes of a job', () => {
  test('are counted', () => {
    assert.equal(countIndexes('', 5), 0)
    assert.equal(countIndexes('0,2-4', 5), 4)
  })

  for (const [text, message] of [
    ['5', 'too large index: "5"'],
    ['0-5', 'too large index: "5"'],
    ['3-1', 'non-increasing order, previous: 3, current: 1'],
    ['1,1', 'non-increasing order, previous: 1, current: 1'],
    ['2-2', 'non-increasing order, previous: 2, current: 2'],
    ['a', 'cannot convert string to integer for index: "a"'],
    ['1,', 'cannot convert string to integer for index: ""'],
    [
      '1-2-3',
      `the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`,
    ],
  ] as const)
    test(`are not "${text}"`, () => assert.throws(() => countIndexes(text, 5), { name: 'ValueError', message }))

  test('overlap where both sets have one', () =>
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(9)), fc.uniqueArray(fc.nat(9)), (left, right) => {
        const text = (indexes: readonly number[]) => [...indexes].sort((a, b) => a - b).join()
        const common = left.filter((index) => right.includes(index))
        const expected = common.length === 0 ? undefined : Math.min(...common)
        assert.equal(overlapOf(text(left), text(right), 10), expected)
      }),
    ))

  test('overlap within ranges, past what cannot be read', () => {
    assert.equal(overlapOf('0-3', '2-5', 10), 2)
    assert.equal(overlapOf('x,4-6', '9,5', 10), 5)
    assert.equal(overlapOf('0-3', '', 10), undefined)
  })
})
