import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../../schema/declaration.js'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const replicaSets = new KindHarness('apps/v1.ReplicaSet')
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image: 'app:1' }] } }
const replicaSet = (change: JsonObject = {}) =>
  replicaSets.create({ spec: { selector: { matchLabels: { app: 'web' } }, template, ...change } })

describe('a replica set', () => {
  test('has one pod by default', () => {
    assert.equal((replicaSet().object.spec as JsonObject).replicas, 1)
    assert.equal((replicaSet({ replicas: 0 }).object.spec as JsonObject).replicas, 0)
    assert.deepEqual(replicaSet().errors, [])
  })

  const wrong: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    [
      'counts pods and seconds from zero',
      { replicas: -1, minReadySeconds: -2 },
      [
        'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
        'spec.minReadySeconds: Invalid value: -2: must be greater than or equal to 0',
      ],
    ],
    [
      'needs a selector',
      { selector: null },
      [
        'spec.selector: Required value',
        'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
      ],
    ],
    [
      'is told of an empty selector in the words of deployments',
      { selector: {} },
      ['spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
    ],
  ]
  for (const [title, change, expected] of wrong)
    test(title, () => assert.deepEqual(replicaSet(change).errors, expected))

  test('keeps its selector', () => {
    const selector = { matchExpressions: [{ key: 'app', operator: 'Exists' }] }
    assert.deepEqual(replicaSets.update(replicaSet(), { spec: { selector } }).errors, [
      'spec.selector: Invalid value: {"matchLabels":{"app":"web"},"matchExpressions":[{"key":"app","operator":"Exists"}]}: field is immutable',
    ])
  })

  test('has a status with consistent counts', () =>
    assert.deepEqual(
      replicaSets.update(
        replicaSet(),
        {
          status: {
            replicas: 1,
            fullyLabeledReplicas: 2,
            readyReplicas: 0,
            availableReplicas: 1,
            observedGeneration: -1,
          },
        },
        'status',
      ).errors,
      [
        'status.observedGeneration: Invalid value: -1: must be greater than or equal to 0',
        'status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas',
        'status.availableReplicas: Invalid value: 1: cannot be greater than readyReplicas',
      ],
    ))

  test('is shown with numbers', () => {
    const row = replicaSets.row(
      replicaSets.update(replicaSet({ replicas: 4 }), { status: { replicas: 3, readyReplicas: 2 } }, 'status'),
    )
    assert.deepEqual([row.Desired, row.Current, row.Ready], [4, 3, 2])
    assert.deepEqual([row.Containers, row.Images, row.Selector], ['app', 'app:1', 'app=web'])
  })
})
