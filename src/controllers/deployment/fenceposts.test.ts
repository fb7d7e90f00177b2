import assert from 'node:assert/strict'
import { test } from 'node:test'
import { someDeployment } from './deployments.test.kit.js'
import { fenceposts, fewestAvailable, mostReplicas } from './fenceposts.js'

test('surge is rounded up, unavailability down, and one of them is more than nothing', () => {
  const posts = (replicas: number, surge: number | string, unavailable: number | string) => {
    const found = fenceposts(someDeployment({ replicas, surge, unavailable }))
    return [found.surge, found.unavailable]
  }
  assert.deepEqual(posts(10, '25%', '25%'), [3, 2])
  assert.deepEqual(posts(1, '25%', '25%'), [1, 0])
  assert.deepEqual(posts(3, 0, '1%'), [0, 1])
  assert.deepEqual(posts(2, 0, 5), [0, 2])
  assert.deepEqual(posts(0, '25%', '25%'), [0, 0])
  assert.deepEqual(posts(4, '150%', '100%'), [6, 4])
})

test('nothing is too many or missing where pods are recreated', () => {
  const deployment = someDeployment({ replicas: 4, strategy: 'Recreate' })
  assert.deepEqual([mostReplicas(deployment), fewestAvailable(deployment)], [4, 4])
})
