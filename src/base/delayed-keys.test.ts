import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DelayedKeys } from './delayed-keys.js'
import { VirtualClock } from './virtual-clock.js'

function watched() {
  const clock = new VirtualClock()
  const seen: string[] = []
  const keys = new DelayedKeys<string>(clock, (key, priority) => seen.push(`${clock.monotonic()} ${key} ${priority}`))
  return { clock, keys, seen }
}

test('keys come when they are due, in the order in which they were added', async () => {
  const { clock, keys, seen } = watched()
  keys.add('c', 20, 0)
  keys.add('b', 10, 1)
  keys.add('a', 10, 0)
  assert.equal(keys.size, 3)
  await clock.advance('1h')
  assert.deepEqual(seen, ['10 b 1', '10 a 0', '20 c 0'])
  assert.equal(keys.size, 0)
})

test('for one key the earliest time and the highest priority count', async () => {
  const { clock, keys, seen } = watched()
  keys.add('a', 20, 0)
  keys.add('a', 10, 0)
  keys.add('a', 30, 5)
  await clock.advance('1h')
  assert.deepEqual(seen, ['10 a 5'])
})

test('any number of keys needs one timer', async () => {
  const { clock, keys, seen } = watched()
  for (let i = 0; i < 100; i++) keys.add(`${i}`, 100 - i, 0)
  assert.equal(clock.pending, 1)
  await clock.advance(50)
  assert.deepEqual([seen.length, clock.pending], [50, 1])
  keys.clear()
  assert.deepEqual([keys.size, clock.pending], [0, 0])
  await clock.advance('1h')
  assert.equal(seen.length, 50)
})

test('a delay must be a number', () => {
  assert.throws(() => watched().keys.add('a', Number.NaN, 0), RangeError)
})

test('every key comes once, at its earliest time, in any order of adding', async () => {
  const adds = fc.array(
    fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), delay: fc.double({ min: 0.001, max: 1e4, noNaN: true }) }),
    { maxLength: 30 },
  )
  await fc.assert(
    fc.asyncProperty(adds, async (adds) => {
      const clock = new VirtualClock()
      const seen = new Map<string, number>()
      const keys = new DelayedKeys<string>(clock, (key) => {
        assert.ok(!seen.has(key))
        seen.set(key, clock.monotonic())
      })
      const earliest = new Map<string, number>()
      for (const { key, delay } of adds) {
        keys.add(key, delay, 0)
        earliest.set(key, Math.min(delay, earliest.get(key) ?? Number.POSITIVE_INFINITY))
      }
      await clock.advance('1h')
      assert.equal(seen.size, earliest.size)
      // Sums of fractions are rounded: the last digit may differ, but never towards too early.
      for (const [key, due] of earliest) assert.ok(seen.get(key)! >= due && seen.get(key)! < due + 1e-6, key)
    }),
  )
})
