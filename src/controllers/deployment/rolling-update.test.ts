import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Deployment } from '../../api/apps/v1/deployment.js'
import type { ReplicaSetScale } from './actions.js'
import { someDeployment, someReplicaSet } from './deployments.test.kit.js'
import { newReplicaSetSize, scaleDownOld } from './rolling-update.js'
import { desiredReplicas, maxReplicas, minAvailable } from './rollout-limits.js'

const sizes = (scales: readonly ReplicaSetScale[]) =>
  scales.map(({ replicaSet, replicas }) => [replicaSet.metadata.name, replicas])

describe('the new replica set', () => {
  const deployment = someDeployment({ replicas: 10, surge: 3, unavailable: 2 })
  test('is scaled up as far as the surge allows', () => {
    assert.equal(newReplicaSetSize(deployment, 0, 10), 3)
    assert.equal(newReplicaSetSize(deployment, 3, 11), 5)
    assert.equal(newReplicaSetSize(deployment, 5, 13), 5)
    assert.equal(newReplicaSetSize(deployment, 9, 9), 10)
  })
  test('is scaled down to the desired replicas', () => assert.equal(newReplicaSetSize(deployment, 12, 12), 10))
  test('gets all replicas at once with the strategy Recreate', () =>
    assert.equal(newReplicaSetSize(someDeployment({ replicas: 10, strategy: 'Recreate' }), 0, 0), 10))
})

describe('old replica sets', () => {
  const deployment = someDeployment({ replicas: 10, surge: 3, unavailable: 2 })
  const set = (name: string, size: number, available: number) => someReplicaSet({ name, size, available })

  test('are scaled down as long as enough pods are available', () =>
    assert.deepEqual(sizes(scaleDownOld(deployment, { current: set('new', 3, 0), old: [set('old', 10, 10)] })), [
      ['old', 8],
    ]))

  test('lose unavailable pods first, then others, from the oldest set first', () => {
    const old = [set('oldest', 4, 4), set('broken', 3, 1), set('empty', 0, 0), set('older', 4, 4)]
    assert.deepEqual(sizes(scaleDownOld(deployment, { current: set('new', 2, 2), old })), [
      ['broken', 1],
      ['oldest', 1],
    ])
  })

  test('keep their pods while the new pods are not available', () =>
    assert.deepEqual(scaleDownOld(deployment, { current: set('new', 5, 0), old: [set('old', 8, 8)] }), []))
})

/** Runs a rollout in which, at each step, new pods become available or old ones are lost. Returns the number of steps. */
function rollOut(deployment: Deployment, steps: readonly number[]): number {
  let [old, oldAvailable] = [desiredReplicas(deployment), desiredReplicas(deployment)]
  let [size, available] = [0, 0]
  for (let step = 0; step < 500; step++) {
    if (old === 0 && available === desiredReplicas(deployment)) return step
    const current = someReplicaSet({ name: 'new', size, available })
    const before = someReplicaSet({ name: 'old', size: old, available: oldAvailable })
    const next = newReplicaSetSize(deployment, size, size + old)
    assert.ok(next + old <= Math.max(maxReplicas(deployment), size + old), 'never more than allowed')
    if (next !== size) size = next
    else
      for (const { replicas } of scaleDownOld(deployment, { current, old: [before] })) {
        // The ReplicaSet controller deletes pods that are not available first.
        oldAvailable = Math.min(oldAvailable, replicas)
        old = replicas
      }
    const enough = Math.min(minAvailable(deployment), before.status.availableReplicas! + available)
    assert.ok(oldAvailable + available >= enough, 'never fewer than must be available')
    const change = steps[step % steps.length]!
    if (change < 2) oldAvailable = Math.max(oldAvailable - 1, 0)
    else available = Math.min(available + Math.ceil(change / 3), size)
  }
  return Number.POSITIVE_INFINITY
}

test('a rollout stays within its limits and completes, whatever happens to pods', () => {
  const share = fc.oneof(
    fc.integer({ min: 0, max: 12 }),
    fc.integer({ min: 0, max: 100 }).map((part) => `${part}%`),
  )
  const steps = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30 }), share, share, steps, (replicas, surge, unavailable, given) => {
      const deployment = someDeployment({ replicas, surge, unavailable })
      assert.ok(rollOut(deployment, [...given, 9]) < 500)
    }),
  )
})
