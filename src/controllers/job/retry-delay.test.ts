import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pod, start } from './job.test.kit.js'
import { noStreak, remainingDelay, remainingDelayOfIndex, streakAfter } from './retry-delay.js'

const at = (seconds: number) => start + seconds * 1000
const failed = (seconds: number) => pod(`f${seconds}`, { phase: 'Failed', exitCode: 1, finishedAt: seconds })
const succeeded = (seconds: number) => pod(`s${seconds}`, { phase: 'Succeeded', finishedAt: seconds })

describe('after failures in a row a job waits', () => {
  for (const [count, seconds] of [
    [0, 0],
    [1, 10],
    [2, 20],
    [3, 40],
    [6, 320],
    [7, 600],
    [500, 600],
  ] as const)
    test(`${seconds} seconds after ${count}`, () =>
      assert.equal(remainingDelay({ count, last: start }, start), seconds * 1000))

  test('from the last failure on', () => {
    assert.equal(remainingDelay({ count: 2, last: start }, at(15)), 5000)
    assert.equal(remainingDelay({ count: 2, last: start }, at(20)), 0)
    assert.equal(remainingDelay({ count: 2, last: start }, at(99)), 0)
  })
})

describe('failures are in a row', () => {
  test('with those before', () =>
    assert.deepEqual(streakAfter({ count: 2, last: at(1) }, { succeeded: [], failed: [failed(9), failed(5)] }), {
      count: 4,
      last: at(9),
    }))
  test('until one succeeds', () =>
    assert.deepEqual(streakAfter({ count: 2, last: at(1) }, { succeeded: [succeeded(9)], failed: [] }), noStreak))
  test('only since the last success', () =>
    assert.deepEqual(
      streakAfter(
        { count: 2, last: at(1) },
        { succeeded: [succeeded(6), succeeded(3)], failed: [failed(4), failed(7), failed(8)] },
      ),
      { count: 2, last: at(8) },
    ))
  test('and stay so when nothing ends', () => {
    const before = { count: 2, last: at(1) }
    assert.equal(streakAfter(before, { succeeded: [], failed: [] }), before)
  })
})

test('an index waits as long as the pod that it replaces knows of failures', () => {
  assert.equal(remainingDelayOfIndex(undefined, start), 0)
  const replaced = pod('p', { phase: 'Failed', index: 0, failures: 2, exitCode: 1, finishedAt: 5 })
  assert.equal(remainingDelayOfIndex(replaced, at(5)), 40_000)
})
