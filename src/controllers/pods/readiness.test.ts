import assert from 'node:assert/strict'
import { test } from 'node:test'
import { somePod } from './pods.test.kit.js'
import { isActive, isAvailable, isTerminating, millisecondsToAvailable, nextAvailability } from './readiness.js'

const now = Date.UTC(2026, 0, 1, 0, 1)
const since = (second: number) => somePod({ ready: `2026-01-01T00:00:${second}Z` })

test('a pod is active until it has ended or was asked to go', () => {
  const going = { deletionTimestamp: '2026-01-01T00:00:00Z' }
  const states = (['Pending', 'Running', 'Unknown', 'Succeeded', 'Failed'] as const).map((phase) => [
    isActive(somePod({ phase })),
    isActive(somePod({ phase, ...going })),
    isTerminating(somePod({ phase, ...going })),
    isTerminating(somePod({ phase })),
  ])
  const [alive, ended] = [
    [true, false, true, false],
    [false, false, false, false],
  ]
  assert.deepEqual(states, [alive, alive, alive, ended, ended])
})

test('a pod is available when it has been ready for long enough', () => {
  assert.equal(isAvailable(since(50), 10, now), true)
  assert.equal(isAvailable(since(51), 10, now), false)
  assert.equal(isAvailable(since(59), 0, now), true)
  assert.equal(isAvailable(somePod(), 0, now), false)
  assert.equal(isAvailable(somePod({ ready: '' }), 0, now), true)
  assert.equal(isAvailable(somePod({ ready: '' }), 1, now), false)
})

test('the next look is due when the first of the others becomes available', () => {
  assert.equal(millisecondsToAvailable(since(55), 10, now), 5000)
  assert.equal(nextAvailability([since(40), since(57), since(55), somePod()], 10, now), 5000)
  assert.equal(nextAvailability([since(40), somePod()], 10, now), undefined)
})
