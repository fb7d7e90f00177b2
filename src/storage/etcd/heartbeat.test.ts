import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AdvancingClock } from '../../testing/storage/advancing-clock.js'
import { Heartbeat } from './heartbeat.js'

/** An hour, so that the real time that passes does not matter. */
const interval = 3_600_000

function setUp(probe: () => Promise<void>) {
  const clock = new AdvancingClock()
  const deaths: string[] = []
  const state = { awaited: true, probes: 0 }
  const heartbeat = new Heartbeat({
    clock,
    interval,
    isAwaited: () => state.awaited,
    probe() {
      state.probes++
      return probe()
    },
    onDeath: (reason) => deaths.push(reason),
  })
  return { clock, deaths, state, heartbeat }
}

test('a silent peer is probed, and dead if the probe fails', async () => {
  const { clock, deaths, state, heartbeat } = setUp(() => Promise.reject(new Error('nothing')))
  heartbeat.start()
  await clock.advance(interval)
  assert.equal(state.probes, 1)
  assert.deepEqual(deaths, ['no sign of life: nothing'])
  await clock.advance(5 * interval)
  assert.equal(deaths.length, 1)
})

test('a peer that sends messages is not probed, and one that responds stays alive', async () => {
  const { clock, deaths, state, heartbeat } = setUp(() => Promise.resolve())
  heartbeat.start()
  for (let i = 0; i < 4; i++) {
    await clock.advance(interval / 2)
    assert.equal(heartbeat.heard(), true)
  }
  assert.equal(state.probes, 0)
  await clock.advance(interval)
  await clock.advance(interval)
  assert.ok(state.probes >= 1)
  assert.deepEqual(deaths, [])
  heartbeat.stop()
})

test('the heartbeat pauses while nothing is awaited', async () => {
  const { clock, state, heartbeat } = setUp(() => Promise.resolve())
  heartbeat.start()
  state.awaited = false
  await clock.advance(interval)
  await clock.advance(interval)
  assert.equal(state.probes, 0)
  state.awaited = true
  await clock.advance(interval)
  assert.equal(state.probes, 0)
  heartbeat.start()
  await clock.advance(interval)
  assert.equal(state.probes, 1)
  heartbeat.stop()
})

test('messages that arrived while this process was suspended are ignored', () => {
  /** A clock with late timers, as in a process that was suspended. */
  let now = 0
  let ring = () => {}
  const timer = (_delay: number, run: () => void) => {
    ring = run
    return { cancel() {} }
  }
  const clock = { now: () => now, monotonic: () => now, timer }
  const deaths: string[] = []
  const options = { clock, interval, isAwaited: () => true, probe: () => Promise.resolve() }
  const heartbeat = new Heartbeat({ ...options, onDeath: (reason) => deaths.push(reason) })
  heartbeat.start()
  now = 11 * interval
  ring()
  assert.deepEqual(deaths, ['this process was asleep'])
  // The same if a message is handled before the timer.
  heartbeat.start()
  now += 9 * interval
  assert.equal(heartbeat.heard(), true)
  now += 2 * interval
  assert.equal(heartbeat.heard(), false)
  assert.equal(deaths.length, 2)
})
