import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lifetime } from './lifetime.js'

test('the more nodes there are the longer something may be kept, and one node more or less changes nothing', () => {
  const lifetime = new Lifetime()
  const seen = [1, 100, 101, 91, 90, 89, 600, 5000, 1800, 1799, 0].map((nodes) => lifetime.secondsFor(nodes))
  assert.deepEqual(seen, [0, 0, 15, 15, 15, 0, 30, 300, 300, 60, 0])
})
