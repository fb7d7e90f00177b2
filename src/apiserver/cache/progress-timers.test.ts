import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../../base/virtual-clock.js'
import { ProgressTimers } from './progress-timers.js'

test('watches that are due in the same second share one timer, and none is late', async () => {
  const clock = new VirtualClock()
  const timers = new ProgressTimers(clock)
  const ran: [name: string, at: number][] = []
  const note = (name: string) => () => ran.push([name, clock.monotonic()])
  timers.add(60_000, note('first'))
  await clock.advance(300)
  timers.add(60_000, note('second'))
  timers.add(200, note('soon'))
  assert.equal(clock.pending, 2)
  await clock.advance(60_000)
  assert.deepEqual(ran, [
    ['soon', 500],
    ['first', 60_000],
    ['second', 60_000],
  ])
})

test('a timer that is cancelled does not run, and the last one takes the timer of the clock with it', async () => {
  const clock = new VirtualClock()
  const timers = new ProgressTimers(clock)
  const ran: string[] = []
  const one = timers.add(60_000, () => ran.push('one'))
  const other = timers.add(60_000, () => ran.push('other'))
  one.cancel()
  assert.equal(clock.pending, 1)
  other.cancel()
  other.cancel()
  assert.equal(clock.pending, 0)
  await clock.advance(120_000)
  assert.deepEqual(ran, [])
})
