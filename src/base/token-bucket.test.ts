import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TokenBucket } from './token-bucket.js'
import { VirtualClock } from './virtual-clock.js'

test('a burst passes at once, the rest at the rate', () => {
  const bucket = new TokenBucket(new VirtualClock(), { rate: 10, burst: 3 })
  assert.deepEqual(
    Array.from({ length: 6 }, () => bucket.reserve()),
    [0, 0, 0, 100, 200, 300],
  )
})

test('a bucket refills, but never above the burst', async () => {
  const clock = new VirtualClock()
  const bucket = new TokenBucket(clock, { rate: 10, burst: 3 })
  const takeAll = () => {
    let taken = 0
    while (bucket.tryTake()) taken++
    return taken
  }
  assert.equal(takeAll(), 3)
  await clock.advance(99)
  assert.equal(takeAll(), 0)
  await clock.advance(1)
  assert.equal(takeAll(), 1)
  await clock.advance('1h')
  assert.equal(takeAll(), 3)
})

test('rounding costs no token', async () => {
  const clock = new VirtualClock()
  await clock.advance(664_406.4)
  const bucket = new TokenBucket(clock, { rate: 7, burst: 6 })
  assert.deepEqual(
    Array.from({ length: 7 }, () => bucket.tryTake()),
    [true, true, true, true, true, true, false],
  )
})

test('exactly as much passes as rate and burst allow', async () => {
  const options = fc.record({
    rate: fc.double({ min: 0.5, max: 500, noNaN: true }),
    burst: fc.integer({ min: 1, max: 50 }),
  })
  const pauses = fc.array(fc.double({ min: 0, max: 3000, noNaN: true }), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(options, pauses, async (options, pauses) => {
      const clock = new VirtualClock()
      const bucket = new TokenBucket(clock, options)
      let level = options.burst
      for (const pause of pauses) {
        while (bucket.tryTake()) level--
        assert.ok(level > -0.01 && level < 1.01, `${level} tokens left`)
        await clock.advance(pause)
        level = Math.min(options.burst, level + (pause * options.rate) / 1000)
      }
    }),
  )
})

test('take waits for its token, in the order of the calls', async () => {
  const clock = new VirtualClock()
  const bucket = new TokenBucket(clock, { rate: 2, burst: 1 })
  const seen: string[] = []
  for (const name of ['one', 'two', 'three'])
    void bucket.take().then(() => seen.push(`${name} at ${clock.monotonic()}`))
  await clock.advance('10s')
  assert.deepEqual(seen, ['one at 0', 'two at 500', 'three at 1000'])
})

test('an aborted take returns its token', async () => {
  const clock = new VirtualClock()
  const bucket = new TokenBucket(clock, { rate: 1, burst: 1 })
  await bucket.take()
  const abort = new AbortController()
  const waiting = bucket.take(abort.signal)
  abort.abort(new Error('enough'))
  await assert.rejects(waiting, /enough/)
  await assert.rejects(bucket.take(abort.signal), /enough/)
  assert.equal(bucket.reserve(), 1000)
})

test('a bucket without rate or burst is rejected', () => {
  for (const options of [
    { rate: 0, burst: 1 },
    { rate: 1, burst: 0 },
    { rate: Number.NaN, burst: 1 },
  ])
    assert.throws(() => new TokenBucket(new VirtualClock(), options), RangeError)
})
