import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { compareUtf8 } from '../../storage/engine/batch.js'
import { cachedObjectSettings, LazyCachedObject } from './cached-object.js'
import { SortedObjects } from './sorted-objects.js'

const settings = cachedObjectSettings({ freeze: false })

const cached = (key: string, revision = 1) => new LazyCachedObject(key, revision, { json: Buffer.from('{}'), settings })
const keys = (objects: readonly LazyCachedObject[]) => objects.map(({ key }) => key)

describe('sorted objects', () => {
  test('equal a sorted plain map after any sets and deletions', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('set', 'set', 'delete'), fc.integer({ min: 0, max: 3000 })), {
          minLength: 500,
          maxLength: 3000,
          size: 'max',
        }),
        fc.integer({ min: 0, max: 3000 }),
        fc.integer({ min: 0, max: 3000 }),
        fc.integer({ min: 1, max: 700 }),
        (changes, one, other, limit) => {
          const sorted = new SortedObjects()
          const model = new Map<string, LazyCachedObject>()
          for (const [change, number] of changes) {
            const key = `/registry/${number}`
            const object = cached(key)
            assert.equal(change === 'set' ? sorted.set(object) : sorted.delete(key), model.get(key))
            if (change === 'set') model.set(key, object)
            else model.delete(key)
          }
          const [start, end] = [`/registry/${one}`, `/registry/${other}`]
          const expected = [...model.keys()].sort().filter((key) => key >= start && key < end)
          assert.deepEqual(keys(sorted.between(start, end)), expected)
          assert.deepEqual(keys(sorted.between(start, end, limit)), expected.slice(0, limit))
          assert.equal(sorted.countBetween(start, end), expected.length)
          assert.equal(sorted.size, model.size)
          for (const key of model.keys()) assert.equal(sorted.get(key), model.get(key))
        },
      ),
      { numRuns: 30 },
    ))

  test('stay in order when inserted in order, in reverse or at random', () => {
    const numbers = Array.from({ length: 5000 }, (_, number) => String(number).padStart(5, '0'))
    const shuffled = numbers.map((number, place) => numbers[(place * 2741) % 5000] ?? number)
    for (const order of [numbers, numbers.toReversed(), shuffled]) {
      const sorted = new SortedObjects()
      for (const number of order) sorted.set(cached(number))
      assert.deepEqual(keys(sorted.between('', 'a')), numbers)
    }
  })

  test('are in the order of UTF-8, as in the store', () => {
    const sorted = new SortedObjects()
    const names = ['/a/\u{1f6a2}', '/a/\u{ffee}', '/a/z']
    for (const name of names) sorted.set(cached(name))
    assert.deepEqual(keys(sorted.between('/a/', '/a0')), names.toSorted(compareUtf8))
  })
})
