import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { SortedMap } from './sorted-map.js'

const byNumber = (a: number, b: number) => a - b

describe('a sorted map', () => {
  test('has the entries that were set, in order, after sets, deletes and copies', () => {
    const step = fc.record({
      key: fc.integer({ min: 0, max: 300 }),
      kind: fc.constantFrom('set', 'set', 'set', 'delete', 'copy'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600, size: 'max' }), (steps) => {
        let map = new SortedMap<number, number>(byNumber)
        let expected = new Map<number, number>()
        const left: [SortedMap<number, number>, Map<number, number>][] = []
        for (const [i, { key, kind }] of steps.entries()) {
          if (kind === 'copy') {
            left.push([map, expected])
            map = map.copy()
            expected = new Map(expected)
          } else if (kind === 'set') {
            map.set(key, i)
            expected.set(key, i)
          } else {
            map.delete(key)
            expected.delete(key)
          }
        }
        for (const [one, model] of [...left, [map, expected] as const]) {
          const inOrder = [...model].sort(([a], [b]) => a - b)
          assert.deepEqual([...one.from(-1)], inOrder)
          assert.deepEqual(
            [...one.from(150)],
            inOrder.filter(([key]) => key >= 150),
          )
          for (const [key, value] of model) assert.equal(one.get(key), value)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('a map that was copied continues independently', () => {
    const map = new SortedMap<number, string>(byNumber)
    for (let i = 0; i < 1000; i++) map.set(i, 'before')
    const copy = map.copy()
    for (let i = 0; i < 1000; i += 2) map.set(i, 'original')
    for (let i = 1; i < 1000; i += 2) copy.delete(i)
    assert.equal([...map.from(0)].filter(([, value]) => value === 'original').length, 500)
    assert.equal([...copy.from(0)].length, 500)
    assert.ok([...copy.from(0)].every(([, value]) => value === 'before'))
  })
})
