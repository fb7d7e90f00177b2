import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from './random.js'
import { controlLoopLimiter } from './rate-limiter.js'
import { VirtualClock } from './virtual-clock.js'

test('one failing key waits from 5 ms to 1000 s', () => {
  const limiter = controlLoopLimiter({ clock: new VirtualClock(), random: seededRandom(1) })
  const delays = Array.from({ length: 20 }, () => limiter.next('key'))
  assert.deepEqual(delays.slice(0, 4), [5, 10, 20, 40])
  assert.deepEqual(delays.slice(17), [655_360, 1_000_000, 1_000_000])
  assert.equal(limiter.failures('key'), 20)
  limiter.forget('key')
  assert.equal(limiter.failures('key'), 0)
  assert.equal(limiter.next('key'), 5)
})

test('many failing keys pass at ten per second after the first hundred', async () => {
  const clock = new VirtualClock()
  const limiter = controlLoopLimiter<number>({ clock, random: seededRandom(1) })
  const delays = Array.from({ length: 103 }, (_, key) => limiter.next(key))
  assert.deepEqual(delays.slice(98), [5, 5, 100, 200, 300])
  await clock.advance('1m')
  assert.equal(limiter.next(1000), 5)
})
