import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { somePod } from '../pods/pods.test.kit.js'
import { decide } from './decide.js'
import type { ReplicaOwner } from './replica-kind.js'

function decision(replicas: number, existing: number, metadata: ReplicaOwner['metadata'] = {}) {
  const active = Array.from({ length: existing }, () => somePod())
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, spec: { replicas }, status: { replicas: 0 } }
  return decide({ owner, active, terminating: 0, related: active, now: 0 })
}

function deleted(replicas: number, existing: number): number | undefined {
  const made = decision(replicas, existing)
  return made.do === 'delete' ? made.pods.length : undefined
}

describe('a replica set', () => {
  test('does nothing if it has as many pods as it asks for', () => {
    assert.deepEqual(decision(3, 3), { do: 'nothing' })
  })

  test('creates missing pods, at most 500 at a time', () => {
    assert.deepEqual(decision(3, 1), { do: 'create', count: 2 })
    assert.deepEqual(decision(2000, 10), { do: 'create', count: 500 })
  })

  test('deletes surplus pods, at most 500 at a time', () => {
    assert.deepEqual([deleted(1, 3), deleted(0, 3), deleted(0, 900)], [2, 3, 500])
  })

  test('does nothing while it is being deleted', () => {
    assert.deepEqual(decision(3, 1, { deletionTimestamp: '2026-01-01T00:00:00Z' }), { do: 'nothing' })
  })
})
