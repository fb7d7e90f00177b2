import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../../base/virtual-clock.js'
import { CrashLoopBackoff, crashLoopKey, formatDelay } from './crash-loop-backoff.js'

const key = crashLoopKey('u', 'c', 'h')

test('the first restart is immediate; the second is delayed from the exit on', async () => {
  const clock = new VirtualClock()
  const loop = new CrashLoopBackoff(clock)
  const ended = clock.now()
  assert.equal(loop.active(key, ended), undefined)
  loop.recordRestart(key, ended)
  assert.deepEqual(loop.active(key, ended), { until: ended + 10_000, delay: 10_000 })
  await clock.advance('10s')
  assert.equal(loop.active(key, ended), undefined)
  loop.recordRestart(key, ended)
  assert.equal(loop.active(key, clock.now())?.delay, 20_000)
})

test('delays are limited, also the first one', () => {
  const clock = new VirtualClock()
  const loop = new CrashLoopBackoff(clock, { max: 3000 })
  loop.recordRestart(key, clock.now())
  assert.equal(loop.active(key, clock.now())?.delay, 3000)
})

test('the entries of a removed pod are dropped', () => {
  const clock = new VirtualClock()
  const loop = new CrashLoopBackoff(clock)
  loop.recordRestart(key, clock.now())
  loop.forget('u')
  assert.equal(loop.active(key, clock.now()), undefined)
})

test('delays are formatted as Kubernetes does', () => {
  assert.deepEqual([10_000, 80_000, 300_000].map(formatDelay), ['10s', '1m20s', '5m0s'])
})
