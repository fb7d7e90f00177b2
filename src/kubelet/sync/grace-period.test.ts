import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import { containerGracePeriod, podGracePeriod } from './grace-period.js'

function pod(deletion: number | undefined, termination = 30): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...(deletion !== undefined && { deletionGracePeriodSeconds: deletion }) },
    spec: { terminationGracePeriodSeconds: termination, containers: [] },
    status: {},
  }
}

test('a pod has the grace period of its deletion, or else of its specification', () => {
  assert.equal(podGracePeriod(pod(5)), 5)
  assert.equal(podGracePeriod(pod(undefined)), 30)
})

test('without a grace period it has that of its specification, and at least a second', () => {
  assert.equal(podGracePeriod(pod(0)), 30)
  assert.equal(podGracePeriod(pod(undefined, 0)), 1)
})

test('the grace period never gets longer', () => {
  assert.equal(podGracePeriod(pod(20), 10), 10)
  assert.equal(podGracePeriod(pod(5), 10), 5)
  assert.equal(podGracePeriod(pod(5), undefined, 2), 2)
})

test('a probe may have its own grace period, but not in a deleted pod', () => {
  const container = { name: 'c', livenessProbe: { terminationGracePeriodSeconds: 3 } }
  assert.equal(containerGracePeriod(pod(undefined), container, 'LivenessProbe'), 3)
  assert.equal(containerGracePeriod(pod(undefined), container, 'StartupProbe'), 30)
  assert.equal(containerGracePeriod(pod(7), container, 'LivenessProbe'), 7)
})
