import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AdvancingClock } from '../../../testing/storage/advancing-clock.js'
import { ProgressTimer, reportsProgress } from './progress.js'

test('progress is used only with versions that report it correctly', () => {
  for (const version of ['3.3.27', '3.4.0', '3.4.23', '3.4.30', '3.5.0', '3.5.12', '', 'unknown', '2.3.8'])
    assert.equal(reportsProgress(version), false, version)
  for (const version of [
    '3.4.31',
    '3.4.40',
    '3.5.13',
    '3.5.16',
    '3.6.0',
    '3.6.0-rc.1',
    '3.5.13+dirty',
    '3.10.2',
    '4.0.0',
  ])
    assert.equal(reportsProgress(version), true, version)
})

test('progress is requested within the interval, unless something was reported', async () => {
  const clock = new AdvancingClock()
  let requests = 0
  const timer = new ProgressTimer(clock, 1_000_000, () => requests++)
  const pass = async (milliseconds: number) => clock.advance(milliseconds)
  await pass(700_000)
  assert.equal(requests, 0)
  await pass(200_000)
  assert.equal(requests, 1)
  await pass(500_000)
  timer.reported()
  await pass(500_000)
  assert.equal(requests, 1)
  await pass(300_000)
  assert.equal(requests, 2)
  timer.stop()
  await pass(5_000_000)
  assert.equal(requests, 2)
})
