import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../base/virtual-clock.js'
import { CallLimit } from './call-limit.js'

const never = new Promise<void>(() => {})

test('a call ends when its time is over, whether or not the callee looks at the signal', async () => {
  const clock = new VirtualClock()
  const limit = new CallLimit(clock, 100, undefined)
  const ended = assert.rejects(limit.race(never), { code: 'DeadlineExceeded' })
  await clock.advance(100)
  await ended
  assert.equal((limit.signal.reason as { code: string }).code, 'DeadlineExceeded')
  assert.throws(() => limit.throwIfOver(), { code: 'DeadlineExceeded' })
})

test('a call ends when its caller gives up', async () => {
  const caller = new AbortController()
  const limit = new CallLimit(new VirtualClock(), 0, caller.signal)
  const { signal } = limit
  const ended = assert.rejects(limit.race(never), /enough/)
  caller.abort(new Error('enough'))
  await ended
  assert.ok(signal.aborted)
})

test('a call that is over has no timer, and ignores its caller', async () => {
  const clock = new VirtualClock()
  const caller = new AbortController()
  const limit = new CallLimit(clock, 100, caller.signal)
  assert.equal(await limit.race(Promise.resolve(1)), 1)
  limit.release()
  caller.abort()
  assert.equal(clock.pending, 0)
  assert.equal(limit.signal.aborted, false)
})
