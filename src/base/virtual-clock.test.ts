import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as realDelay } from 'node:timers/promises'
import fc from 'fast-check'
import { sleep } from './clock.js'
import { seededRandom } from './random.js'
import { VirtualClock } from './virtual-clock.js'

test('time stops until it is advanced', async () => {
  const clock = new VirtualClock({ start: 1000 })
  let ran = false
  clock.timer(0, () => {
    ran = true
  })
  await realDelay(5)
  assert.deepEqual([clock.now(), clock.monotonic(), ran], [1000, 0, false])
  await clock.advance('1h30m')
  assert.deepEqual([clock.now(), clock.monotonic(), ran], [1000 + 5_400_000, 5_400_000, true])
})

test('now has whole milliseconds, monotonic time has fractions', async () => {
  const clock = new VirtualClock({ start: 1000 })
  await clock.advance(0.75)
  assert.deepEqual([clock.now(), clock.monotonic()], [1000, 0.75])
})

test('timers fire by due time, then by creation, each at its own time', async () => {
  const delays = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(delays, async (delays) => {
      const clock = new VirtualClock()
      const seen: [number, number][] = []
      delays.forEach((delay, i) => {
        clock.timer(delay, () => seen.push([clock.monotonic(), i]))
      })
      await clock.advance(10)
      const expected = delays
        .map((delay, i): [number, number] => [delay, i])
        .filter(([delay]) => delay <= 10)
        .sort(([delay], [other]) => delay - other)
      assert.deepEqual(seen, expected)
      assert.equal(clock.pending, delays.length - expected.length)
      assert.equal(clock.monotonic(), 10)
    }),
  )
})

test('several steps have the same result as one', async () => {
  const run = async (steps: readonly number[], seed: number) => {
    const clock = new VirtualClock()
    const random = seededRandom(seed)
    const seen: string[] = []
    const walk = async (name: string) => {
      for (;;) {
        await sleep(clock, random.integer(7))
        seen.push(`${name} at ${clock.monotonic()}`)
        if (random.integer(5) === 0) await sleep(clock, 1)
      }
    }
    void walk('one')
    void walk('two')
    for (const step of steps) await clock.advance(step)
    return seen
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 8 }),
      fc.integer(),
      async (steps, seed) => {
        const total = steps.reduce((sum, step) => sum + step, 0)
        assert.deepEqual(await run(steps, seed), await run([total], seed))
      },
    ),
    { numRuns: 50 },
  )
})

test('a timer may set further timers, which fire at their right times', async () => {
  const clock = new VirtualClock()
  const seen: string[] = []
  const note = (what: string) => seen.push(`${clock.monotonic()} ${what}`)
  const work = async () => {
    await sleep(clock, 10)
    note('awake')
    clock.timer(5, () => note('set inside'))
    await new Promise((resolve) => setImmediate(resolve))
    await sleep(clock, 3)
    note('awake again')
  }
  clock.timer(14, () => note('set outside'))
  void work()
  await clock.advance(20)
  assert.deepEqual(seen, ['10 awake', '13 awake again', '14 set outside', '15 set inside'])
})

test('everything that a timer started has settled before the next timer fires', async () => {
  const clock = new VirtualClock()
  const seen: string[] = []
  clock.timer(1, async () => {
    for (let i = 0; i < 50; i++) {
      await new Promise((resolve) => setImmediate(resolve))
      await new Promise<void>((resolve) => process.nextTick(resolve))
      for (let k = 0; k < 20; k++) await undefined
    }
    seen.push(`work of the first timer ended at ${clock.monotonic()}`)
  })
  clock.timer(1, () => seen.push('second timer'))
  await clock.advance(1)
  assert.deepEqual(seen, ['work of the first timer ended at 1', 'second timer'])
})

test('everything that was started before settles first', async () => {
  const clock = new VirtualClock()
  const seen: number[] = []
  const begin = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    await sleep(clock, 5)
    seen.push(clock.monotonic())
  }
  void begin()
  await clock.advance(10)
  assert.deepEqual(seen, [5])
})

test('an error in a timer makes advance reject, at its time, and the others stay', async () => {
  const clock = new VirtualClock()
  const seen: string[] = []
  clock.timer(5, () => {
    throw new Error('boom')
  })
  clock.timer(5, () => seen.push('other'))
  await assert.rejects(clock.advance(10), /boom/)
  assert.deepEqual([clock.monotonic(), seen], [5, []])
  await clock.advance(5)
  assert.deepEqual([clock.monotonic(), seen], [10, ['other']])
})

test('a cancelled timer never fires, even if it is due together with the one that cancels it', async () => {
  const clock = new VirtualClock()
  const victim: { cancel?: () => void } = {}
  clock.timer(5, () => victim.cancel?.())
  const timer = clock.timer(5, () => assert.fail('ran after it was cancelled'))
  victim.cancel = () => timer.cancel()
  await clock.advance(10)
  timer.cancel()
  assert.equal(clock.pending, 0)
})

test('held work of the real world stops time', async () => {
  const clock = new VirtualClock()
  const seen: string[] = []
  clock.timer(1, async () => {
    await clock.hold(realDelay(10))
    seen.push(`disk at ${clock.monotonic()}`)
    await assert.rejects(clock.hold(realDelay(1).then(() => Promise.reject(new Error('disk full')))), /disk full/)
    seen.push(`failure at ${clock.monotonic()}`)
  })
  clock.timer(2, () => seen.push('next timer'))
  await clock.advance(10)
  assert.deepEqual(seen, ['disk at 1', 'failure at 1', 'next timer'])
})

test('settle runs what needs no time', async () => {
  const clock = new VirtualClock()
  const seen: string[] = []
  clock.timer(0, () => seen.push('due now'))
  clock.timer(1, () => seen.push('due later'))
  await clock.settle()
  assert.deepEqual([clock.monotonic(), seen], [0, ['due now']])
})

test('runUntil stops at the moment at which the condition holds', async () => {
  const clock = new VirtualClock()
  let beats = 0
  const beat = () => {
    beats++
    clock.timer(1000, beat)
  }
  clock.timer(1000, beat)
  await clock.runUntil(() => beats === 3)
  assert.equal(clock.monotonic(), 3000)
  await clock.runUntil(async () => beats === 3)
  assert.equal(clock.monotonic(), 3000)
  await assert.rejects(
    clock.runUntil(() => beats === 10, '5s'),
    /does not hold within 5s/,
  )
})

test('runUntil rejects if no timer is left', async () => {
  const clock = new VirtualClock()
  clock.timer(5, () => {})
  await assert.rejects(
    clock.runUntil(() => false),
    /no timer is left/,
  )
})

test('an endless loop of timers without delay is detected', async () => {
  const clock = new VirtualClock({ timersPerInstant: 100 })
  for (let i = 0; i < 1000; i++) clock.timer(i / 10, () => {})
  await clock.advance('1m')
  const again = () => void clock.timer(0, again)
  again()
  await assert.rejects(clock.advance(1), /100 timers ran and time has not moved/)
})

test('time moves for one caller at a time, and only forward', async () => {
  const clock = new VirtualClock()
  const first = clock.advance(1)
  await assert.rejects(clock.advance(1), /already being moved/)
  await first
  await assert.rejects(clock.advance(-1), /time cannot move by -1: write a duration such as '1h30m'/)
  await assert.rejects(clock.advance('soon'), /time cannot move by "soon": write a duration/)
  await assert.rejects(clock.advance('-1s'), /time cannot move by "-1s": write a duration/)
  await assert.rejects(clock.advance(Number.NaN), RangeError)
  await assert.rejects(clock.advance(Number.POSITIVE_INFINITY), RangeError)
  assert.equal(clock.monotonic(), 1)
})
