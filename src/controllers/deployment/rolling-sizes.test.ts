import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Deployment } from '../../api/apps/v1/deployment.js'
import { someDeployment, someReplicaSet } from './deployments.test.kit.js'
import { fewestAvailable, mostReplicas, wantedReplicas } from './fenceposts.js'
import { type Resize, shrinkOld, sizeOfNew } from './rolling-sizes.js'

const sizes = (resizes: readonly Resize[]) => resizes.map(({ replicaSet, size }) => [replicaSet.metadata.name, size])

describe('the new replica set', () => {
  const deployment = someDeployment({ replicas: 10, surge: 3, unavailable: 2 })
  test('grows as far as there is room', () => {
    assert.equal(sizeOfNew(deployment, 0, 10), 3)
    assert.equal(sizeOfNew(deployment, 3, 11), 5)
    assert.equal(sizeOfNew(deployment, 5, 13), 5)
    assert.equal(sizeOfNew(deployment, 9, 9), 10)
  })
  test('shrinks to what was asked for', () => assert.equal(sizeOfNew(deployment, 12, 12), 10))
  test('comes at once where pods are recreated', () =>
    assert.equal(sizeOfNew(someDeployment({ replicas: 10, strategy: 'Recreate' }), 0, 0), 10))
})

describe('old replica sets', () => {
  const deployment = someDeployment({ replicas: 10, surge: 3, unavailable: 2 })
  const set = (name: string, size: number, available: number) => someReplicaSet({ name, size, available })

  test('shrink as far as enough pods are available', () =>
    assert.deepEqual(sizes(shrinkOld(deployment, { current: set('new', 3, 0), old: [set('old', 10, 10)] })), [
      ['old', 8],
    ]))

  test('lose pods that are of no use first, then others, the oldest set before the others', () => {
    const old = [set('oldest', 4, 4), set('broken', 3, 1), set('empty', 0, 0), set('older', 4, 4)]
    assert.deepEqual(sizes(shrinkOld(deployment, { current: set('new', 2, 2), old })), [
      ['broken', 1],
      ['oldest', 1],
    ])
  })

  test('stay while the new pods are not available', () =>
    assert.deepEqual(shrinkOld(deployment, { current: set('new', 5, 0), old: [set('old', 8, 8)] }), []))
})

/** A rollout in which each step some new pods become available, or some old ones are lost. */
function rollOut(deployment: Deployment, chances: readonly number[]): number {
  let [old, oldAvailable] = [wantedReplicas(deployment), wantedReplicas(deployment)]
  let [size, available] = [0, 0]
  for (let step = 0; step < 500; step++) {
    if (old === 0 && available === wantedReplicas(deployment)) return step
    const current = someReplicaSet({ name: 'new', size, available })
    const before = someReplicaSet({ name: 'old', size: old, available: oldAvailable })
    const next = sizeOfNew(deployment, size, size + old)
    assert.ok(next + old <= Math.max(mostReplicas(deployment), size + old), 'never more than allowed')
    if (next !== size) size = next
    else
      for (const resize of shrinkOld(deployment, { current, old: [before] })) {
        // The loop that deletes pods takes those first that are not available.
        oldAvailable = Math.min(oldAvailable, resize.size)
        old = resize.size
      }
    const enough = Math.min(fewestAvailable(deployment), before.status.availableReplicas! + available)
    assert.ok(oldAvailable + available >= enough, 'never fewer than must be available')
    const chance = chances[step % chances.length]!
    if (chance < 2) oldAvailable = Math.max(oldAvailable - 1, 0)
    else available = Math.min(available + Math.ceil(chance / 3), size)
  }
  return Number.POSITIVE_INFINITY
}

test('a rollout keeps between its fenceposts and comes to its end, whatever happens to pods', () => {
  const share = fc.oneof(
    fc.integer({ min: 0, max: 12 }),
    fc.integer({ min: 0, max: 100 }).map((part) => `${part}%`),
  )
  const chances = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30 }), share, share, chances, (replicas, surge, unavailable, given) => {
      const deployment = someDeployment({ replicas, surge, unavailable })
      assert.ok(rollOut(deployment, [...given, 9]) < 500)
    }),
  )
})
