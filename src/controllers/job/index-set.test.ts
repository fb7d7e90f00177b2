import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { countIndexes } from '../../api/batch/v1/job/indexes.js'
import { IndexSet } from './index-set.js'

describe('a set of indexes', () => {
  for (const [indexes, text] of [
    [[], ''],
    [[3], '3'],
    [[0, 1], '0,1'],
    [[2, 0, 1], '0-2'],
    [[0, 2, 3, 4, 9, 10], '0,2-4,9,10'],
  ] as const)
    test(`[${indexes}] is written "${text}"`, () => assert.equal(IndexSet.of(indexes).toString(), text))

  test('is read with leniency: what is no range is passed over, what the job no longer has is cut off', () => {
    assert.equal(IndexSet.parse('0,x,2-4,7-9,12', 9).toString(), '0,2-4,7,8')
    assert.equal(IndexSet.parse('', 9).size, 0)
  })

  const someIndexes = fc.uniqueArray(fc.nat(30), { maxLength: 20 })

  test('is read back as it was, in a form that the API server takes', () =>
    fc.assert(
      fc.property(someIndexes, (indexes) => {
        const set = IndexSet.of(indexes)
        assert.equal(countIndexes(set.toString(), 31), indexes.length)
        assert.equal(IndexSet.parse(set.toString(), 31).toString(), set.toString())
      }),
    ))

  test('behaves as a set of numbers does', () =>
    fc.assert(
      fc.property(someIndexes, someIndexes, (left, right) => {
        const [some, others] = [IndexSet.of(left), IndexSet.of(right)]
        const both = some.union(others)
        for (let index = 0; index <= 31; index++)
          assert.equal(both.has(index), left.includes(index) || right.includes(index))
        assert.equal(both.size, new Set([...left, ...right]).size)
        assert.equal(some.overlap(others), left.filter((index) => right.includes(index)).length)
      }),
    ))

  test('knows what is missing, lowest first', () =>
    fc.assert(
      fc.property(someIndexes, fc.nat(10), fc.nat(31), (indexes, count, completions) => {
        const all = Array.from({ length: completions }, (_, index) => index)
        const expected = all.filter((index) => !indexes.includes(index)).slice(0, count)
        assert.deepEqual(IndexSet.of(indexes).missing(count, completions), expected)
      }),
    ))
})
