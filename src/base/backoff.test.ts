import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Backoff, KeyedBackoff } from './backoff.js'
import { seededRandom } from './random.js'
import { VirtualClock } from './virtual-clock.js'

const dependencies = (seed = 1) => ({ clock: new VirtualClock(), random: seededRandom(seed) })
const delays = (backoff: Backoff, count: number) => Array.from({ length: count }, () => backoff.next())

test('delays double from the initial one to the maximum', () => {
  const backoff = new Backoff(dependencies(), { initial: 10_000, max: 300_000 })
  assert.deepEqual(delays(backoff, 7), [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000])
  assert.equal(backoff.failures, 7)
})

test('delays stay at the maximum after any number of failures', () => {
  const backoff = new Backoff(dependencies(), { initial: 1, max: 1000 })
  assert.equal(delays(backoff, 5000).at(-1), 1000)
})

test('after a reset the next failure counts as the first', () => {
  const backoff = new Backoff(dependencies(), { initial: 5, max: 1000, factor: 3 })
  assert.deepEqual(delays(backoff, 3), [5, 15, 45])
  backoff.reset()
  assert.equal(backoff.failures, 0)
  assert.equal(backoff.remaining, 0)
  assert.equal(backoff.next(), 5)
})

test('the remaining delay shrinks as time passes', async () => {
  const { clock, random } = dependencies()
  const backoff = new Backoff({ clock, random }, { initial: 100, max: 1000 })
  assert.equal(backoff.remaining, 0)
  backoff.next()
  await clock.advance(30)
  assert.equal(backoff.remaining, 70)
  await clock.advance(100)
  assert.equal(backoff.remaining, 0)
  assert.equal(backoff.failures, 1)
})

test('a long time without a failure resets the backoff', async () => {
  const { clock, random } = dependencies()
  const backoff = new Backoff({ clock, random }, { initial: 100, max: 1000, resetAfter: 2000 })
  assert.deepEqual(delays(backoff, 2), [100, 200])
  await clock.advance(2000)
  assert.equal(backoff.next(), 400)
  await clock.advance(2001)
  assert.equal(backoff.failures, 0)
  assert.equal(backoff.next(), 100)
})

test('jitter only lengthens delays, up to its share, and is the same for the same seed', () => {
  fc.assert(
    fc.property(fc.integer(), fc.double({ min: 0.01, max: 2, noNaN: true }), (seed, jitter) => {
      const options = { initial: 100, max: 1000, jitter }
      const seen = delays(new Backoff(dependencies(seed), options), 6)
      const plain = delays(new Backoff(dependencies(seed), { ...options, jitter: 0 }), 6)
      seen.forEach((delay, i) => {
        assert.ok(plain[i]! <= delay && delay < plain[i]! * (1 + jitter), `${delay} for ${plain[i]}`)
      })
      assert.deepEqual(delays(new Backoff(dependencies(seed), options), 6), seen)
      assert.notDeepEqual(seen, plain)
    }),
  )
})

test('invalid delays are rejected', () => {
  for (const options of [
    { initial: 0, max: 1 },
    { initial: 2, max: 1 },
    { initial: 1, max: 1, factor: 0.5 },
    { initial: 1, max: 1, jitter: -1 },
    { initial: 1, max: Number.NaN },
  ])
    assert.throws(() => new Backoff(dependencies(), options), RangeError)
})

test('each key has its own backoff', async () => {
  const { clock, random } = dependencies()
  const backoff = new KeyedBackoff({ clock, random }, { initial: 10, max: 1000 })
  assert.deepEqual([backoff.next('a'), backoff.next('a'), backoff.next('b')], [10, 20, 10])
  assert.deepEqual([backoff.failures('a'), backoff.failures('b'), backoff.failures('c')], [2, 1, 0])
  await clock.advance(5)
  assert.deepEqual([backoff.remaining('a'), backoff.remaining('b'), backoff.remaining('c')], [15, 5, 0])
  backoff.forget('a')
  assert.deepEqual([backoff.failures('a'), backoff.next('a'), backoff.next('b')], [0, 10, 20])
})

test('expired keys are dropped', async () => {
  const { clock, random } = dependencies()
  const backoff = new KeyedBackoff({ clock, random }, { initial: 10, max: 100, resetAfter: 1000 })
  for (let i = 0; i < 100; i++) backoff.next(`old ${i}`)
  await clock.advance(600)
  backoff.next('old 0')
  backoff.next('young')
  assert.equal(backoff.size, 101)
  await clock.advance(600)
  backoff.next('new')
  assert.equal(backoff.size, 3)
  assert.equal(backoff.failures('old 0'), 2)
})
