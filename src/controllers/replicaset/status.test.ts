import assert from 'node:assert/strict'
import { test } from 'node:test'
import { somePod } from '../pods/pods.test.kit.js'
import type { ReplicaObservation } from './decide.js'
import type { ReplicaOwner, ReplicaStatus } from './replica-kind.js'
import { type ReplicaResult, replicaStatus } from './status.js'

const now = Date.UTC(2026, 0, 1, 0, 1)

const status = (
  options: Partial<ReplicaObservation & ReplicaResult>,
  known: ReplicaStatus = { replicas: 0 },
  replicas = 3,
) => {
  const owner: ReplicaOwner = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web', generation: 2 },
    spec: { replicas, minReadySeconds: 30, template: { metadata: { labels: { app: 'web', tier: 'front' } } } },
    status: known,
  }
  const { failure, ...observed } = options
  return replicaStatus({ owner, active: [], terminating: undefined, related: [], now, ...observed }, { failure, now })
}

test('the status counts labelled, ready and available pods', () => {
  const labels = { app: 'web', tier: 'front' }
  const active = [
    somePod({ labels, ready: '2026-01-01T00:00:30Z' }),
    somePod({ labels: { app: 'web' }, ready: '2026-01-01T00:00:31Z' }),
    somePod({ labels: { ...labels, more: 'yes' } }),
  ]
  assert.deepEqual(status({ active, terminating: 2 }), {
    replicas: 3,
    fullyLabeledReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 1,
    terminatingReplicas: 2,
    observedGeneration: 2,
  })
})

test('zeros are left out, except the number of terminating pods', () => {
  assert.deepEqual(status({ terminating: 0 }), { replicas: 0, terminatingReplicas: 0, observedGeneration: 2 })
  assert.deepEqual(status({}), { replicas: 0, observedGeneration: 2 })
})

test('the first failure stays in the status until there is none', () => {
  const failed = status({ failure: new Error('quota') })
  const condition = { type: 'ReplicaFailure', status: 'True', lastTransitionTime: '2026-01-01T00:01:00Z' }
  assert.deepEqual(failed.conditions, [{ ...condition, reason: 'FailedCreate', message: 'quota' }])
  assert.deepEqual(status({ failure: new Error('other') }, failed).conditions, failed.conditions)
  assert.equal(status({}, failed).conditions, undefined)
  const tooMany = status({ failure: new Error('no'), active: [somePod(), somePod()] }, { replicas: 2 }, 1)
  assert.equal(tooMany.conditions?.[0]?.reason, 'FailedDelete')
})
