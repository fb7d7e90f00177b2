import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { someDeployment, someReplicaSet } from './deployments.test.kit.js'
import { proportionalSizes } from './proportional-scaling.js'
import { maxReplicasAnnotation } from './revisions.js'
import { maxReplicas } from './rollout-limits.js'

const scaledFrom = (most: number) => ({ annotations: { [maxReplicasAnnotation]: String(most) } })

function scaled(sizes: readonly number[], { from, to, surge = 3 }: { from: number; to: number; surge?: number }) {
  const deployment = someDeployment({ replicas: to, surge, unavailable: 2 })
  const sets = sizes.map((size, index) =>
    someReplicaSet({ name: `${index}`, size, created: index, ...scaledFrom(from) }),
  )
  const scales = proportionalSizes(deployment, sets)
  return sizes.map(
    (_, index) => scales.find(({ replicaSet }) => replicaSet.metadata.name === `${index}`)?.replicas ?? 0,
  )
}

describe('a deployment that is scaled in the middle of a rollout', () => {
  test('keeps the share of each version', () => {
    assert.deepEqual(scaled([8, 5], { from: 13, to: 15 }), [11, 7])
    assert.deepEqual(scaled([4, 2], { from: 6, to: 8, surge: 2 }), [7, 3])
    assert.deepEqual(scaled([11, 7], { from: 18, to: 5 }), [5, 3])
  })
  test('gives what rounding leaves over to the largest version', () =>
    assert.deepEqual(scaled([5, 5, 5], { from: 15, to: 14, surge: 2 }), [5, 5, 6]))
  test('to 0 removes all replicas', () => assert.deepEqual(scaled([8, 5], { from: 13, to: 0 }), [0, 0]))
  test('gives no replicas to versions without replicas', () =>
    assert.deepEqual(scaled([8, 0, 5], { from: 13, to: 15 }), [11, 0, 7]))

  test('has the allowed number of pods, whatever the sizes', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 2, maxLength: 6 })
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 100 }), (given, to) => {
        const from = given.reduce((sum, size) => sum + size)
        const result = scaled(given, { from, to })
        const total = result.reduce((sum, size) => sum + size)
        assert.ok(result.every((size) => size >= 0))
        const allowed = maxReplicas(someDeployment({ replicas: to, surge: 3 }))
        // What rounding leaves over is removed from the largest alone. If it has too few, there are more pods than allowed, as upstream.
        assert.ok(result.includes(0) ? total >= allowed : total === allowed, `${result} for ${allowed}`)
      }),
    )
  })
})
