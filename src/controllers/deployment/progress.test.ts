import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DeploymentStatus } from '../../api/apps/v1/deployment.js'
import { type DeploymentOptions, someDeployment, someReplicaSet } from './deployments.test.kit.js'
import { nextProgressCheck, rolloutStatus } from './progress.js'

const second = (time: string) => Date.parse(`2026-01-01T00:${time}Z`)
const known = (reason: string, time = '00:00', status: 'True' | 'False' = 'True'): DeploymentStatus => ({
  conditions: [
    {
      type: 'Progressing',
      status,
      reason,
      lastUpdateTime: `2026-01-01T00:${time}Z`,
      lastTransitionTime: `2026-01-01T00:${time}Z`,
    },
  ],
})

function progress(options: DeploymentOptions, available: number, time = '00:30') {
  const deployment = someDeployment({ replicas: 3, deadline: 60, ...options })
  const current = someReplicaSet({ size: 3, available })
  const { conditions } = rolloutStatus(deployment, { current, old: [] }, second(time))
  const found = conditions?.find(({ type }) => type === 'Progressing')
  return (
    found && [found.status, found.reason, found.lastUpdateTime?.slice(14, 19), found.lastTransitionTime?.slice(14, 19)]
  )
}

describe('progress of a rollout', () => {
  const before = { replicas: 3, updatedReplicas: 3, readyReplicas: 1, availableReplicas: 1 }
  test('is made when more pods are available', () =>
    assert.deepEqual(progress({ status: { ...known('ReplicaSetUpdated'), ...before } }, 2), [
      'True',
      'ReplicaSetUpdated',
      '00:30',
      '00:00',
    ]))
  test('is not made when nothing changes', () =>
    assert.deepEqual(progress({ status: { ...known('ReplicaSetUpdated'), ...before } }, 1), [
      'True',
      'ReplicaSetUpdated',
      '00:00',
      '00:00',
    ]))
  test('is overdue after the deadline, not at it', () => {
    const status = { ...known('ReplicaSetUpdated'), ...before }
    assert.deepEqual(progress({ status }, 1, '01:00')?.[1], 'ReplicaSetUpdated')
    assert.deepEqual(progress({ status }, 1, '01:01'), ['False', 'ProgressDeadlineExceeded', '01:01', '01:01'])
  })
  test('ends with the last pod', () =>
    assert.deepEqual(progress({ status: { ...known('ProgressDeadlineExceeded', '00:10', 'False'), ...before } }, 3), [
      'True',
      'NewReplicaSetAvailable',
      '00:30',
      '00:30',
    ]))
  test('is over once it has ended, whatever becomes of pods', () => {
    const status = { ...known('NewReplicaSetAvailable'), ...before, availableReplicas: 3 }
    assert.deepEqual(progress({ status }, 0, '59:00')?.[1], 'NewReplicaSetAvailable')
  })
  test('is not told of where nobody set a deadline', () =>
    assert.equal(progress({ deadline: 2 ** 31 - 1, status: known('ReplicaSetUpdated') }, 3), undefined))
})

test('the deadline is looked after once, when it has passed', () => {
  const check = (status: DeploymentStatus, deadline = 60) =>
    nextProgressCheck(someDeployment({ replicas: 3, deadline, status }), second('00:30'))
  assert.equal(check(known('ReplicaSetUpdated')), 31_000)
  assert.equal(check(known('ReplicaSetUpdated'), 10), 1000)
  assert.equal(check(known('ProgressDeadlineExceeded')), undefined)
  assert.equal(check(known('NewReplicaSetAvailable')), undefined)
  assert.equal(check(known('ReplicaSetUpdated'), 2 ** 31 - 1), undefined)
  assert.equal(check({}), undefined)
})
