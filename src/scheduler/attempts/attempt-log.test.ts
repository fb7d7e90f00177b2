import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideAmong, nodeInfo, podInfo } from '../scheduler.test.kit.js'
import { AttemptLog, attemptFrom, type SchedulingAttempt } from './attempt-log.js'

function attempt(name: string, at = 0): SchedulingAttempt {
  const nodes = ['na', 'nb', 'nc'].map((each) => nodeInfo(each, { spec: { unschedulable: true } }))
  const { decision } = decideAmong(podInfo(name), nodes)
  return attemptFrom(decision, { at, took: 1, profile: 'default-scheduler' })
}

test('the last attempts of each pod are kept, the oldest first', () => {
  const log = new AttemptLog({ perPod: 2 })
  for (const at of [1, 2, 3]) log.add(attempt('p', at))
  assert.deepEqual(
    log.of('default/p').map(({ at }) => at),
    [2, 3],
  )
  assert.deepEqual(log.of('default/other'), [])
})

test('when the log is full, the pod with the oldest attempt is dropped', () => {
  const log = new AttemptLog({ cells: 30 }) // 13 of each attempt
  for (const name of ['p', 'q']) log.add(attempt(name))
  log.add(attempt('p'))
  assert.deepEqual(
    ['p', 'q'].map((name) => log.of(`default/${name}`).length),
    [2, 0],
  )
  log.add(attempt('r'))
  assert.deepEqual(
    ['p', 'r'].map((name) => log.of(`default/${name}`).length),
    [0, 1],
  )
})
