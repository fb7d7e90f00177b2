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

test('a pod has the time that it was deleted with, or else the time that it wanted', () => {
  assert.equal(podGracePeriod(pod(5)), 5)
  assert.equal(podGracePeriod(pod(undefined)), 30)
})

test('without any grace it still has what it wanted, and never less than a second', () => {
  assert.equal(podGracePeriod(pod(0)), 30)
  assert.equal(podGracePeriod(pod(undefined, 0)), 1)
})

test('the time only ever gets shorter', () => {
  assert.equal(podGracePeriod(pod(20), 10), 10)
  assert.equal(podGracePeriod(pod(5), 10), 5)
  assert.equal(podGracePeriod(pod(5), undefined, 2), 2)
})

test('a probe may have a time of its own, but not in a pod that is to go', () => {
  const container = { name: 'c', livenessProbe: { terminationGracePeriodSeconds: 3 } }
  assert.equal(containerGracePeriod(pod(undefined), container, 'LivenessProbe'), 3)
  assert.equal(containerGracePeriod(pod(undefined), container, 'StartupProbe'), 30)
  assert.equal(containerGracePeriod(pod(7), container, 'LivenessProbe'), 7)
})
