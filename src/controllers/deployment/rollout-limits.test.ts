import assert from 'node:assert/strict'
import { test } from 'node:test'
import { someDeployment } from './deployments.test.kit.js'
import { maxReplicas, minAvailable, rolloutLimits } from './rollout-limits.js'

test('surge is rounded up, unavailability down, and one of them is at least 1', () => {
  const limits = (replicas: number, surge: number | string, unavailable: number | string) => {
    const { surge: extra, unavailable: missing } = rolloutLimits(someDeployment({ replicas, surge, unavailable }))
    return [extra, missing]
  }
  assert.deepEqual(limits(10, '25%', '25%'), [3, 2])
  assert.deepEqual(limits(1, '25%', '25%'), [1, 0])
  assert.deepEqual(limits(3, 0, '1%'), [0, 1])
  assert.deepEqual(limits(2, 0, 5), [0, 2])
  assert.deepEqual(limits(0, '25%', '25%'), [0, 0])
  assert.deepEqual(limits(4, '150%', '100%'), [6, 4])
})

test('the strategy Recreate has neither surge nor unavailability', () => {
  const deployment = someDeployment({ replicas: 4, strategy: 'Recreate' })
  assert.deepEqual([maxReplicas(deployment), minAvailable(deployment)], [4, 4])
})
