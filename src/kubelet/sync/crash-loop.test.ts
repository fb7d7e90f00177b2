import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../../base/virtual-clock.js'
import { CrashLoop, crashLoopKey, delayInWords } from './crash-loop.js'

const key = crashLoopKey('u', 'c', 'h')

test('the first restart is not held back; the second is, from the end of the container on', async () => {
  const clock = new VirtualClock()
  const loop = new CrashLoop(clock)
  const ended = clock.now()
  assert.equal(loop.heldBack(key, ended), undefined)
  loop.restarted(key, ended)
  assert.deepEqual(loop.heldBack(key, ended), { until: ended + 10_000, delay: 10_000 })
  await clock.advance('10s')
  assert.equal(loop.heldBack(key, ended), undefined)
  loop.restarted(key, ended)
  assert.equal(loop.heldBack(key, clock.now())?.delay, 20_000)
})

test('delays are limited, also the first', () => {
  const clock = new VirtualClock()
  const loop = new CrashLoop(clock, { max: 3000 })
  loop.restarted(key, clock.now())
  assert.equal(loop.heldBack(key, clock.now())?.delay, 3000)
})

test('a pod that is gone is forgotten', () => {
  const clock = new VirtualClock()
  const loop = new CrashLoop(clock)
  loop.restarted(key, clock.now())
  loop.forget('u')
  assert.equal(loop.heldBack(key, clock.now()), undefined)
})

test('delays are written as Kubernetes writes them', () => {
  assert.deepEqual([10_000, 80_000, 300_000].map(delayInWords), ['10s', '1m20s', '5m0s'])
})
