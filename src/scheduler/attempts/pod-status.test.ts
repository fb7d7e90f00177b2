import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PodCondition } from '../../api/core/v1/pod/status.js'
import { samplePod } from '../scheduler.test.kit.js'
import { type UnscheduledStatus, unscheduledStatusPatch } from './pod-status.js'

const now = '2026-01-01T00:00:10Z'
const status: UnscheduledStatus = { reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' }

function condition(more: Partial<PodCondition> = {}): PodCondition {
  const { reason, message } = status
  const lastTransitionTime = '2026-01-01T00:00:00Z'
  return { type: 'PodScheduled', status: 'False', lastTransitionTime, reason, message, observedGeneration: 1, ...more }
}

interface Patch {
  readonly metadata: object
  readonly status: { readonly conditions?: readonly PodCondition[]; readonly nominatedNodeName?: string | null }
}

function patchOf(conditions: readonly PodCondition[], given: UnscheduledStatus = status, nominatedNodeName?: string) {
  const status = { conditions: [...conditions], ...(nominatedNodeName && { nominatedNodeName }) }
  return unscheduledStatusPatch(samplePod('p', { status }), given, now) as Patch | undefined
}

test('the patch names uid and resource version of the pod', () => {
  const patch = patchOf([])
  assert.deepEqual(patch?.metadata, { uid: 'p', resourceVersion: '1' })
  assert.deepEqual(patch.status.conditions, [{ ...condition(), lastProbeTime: null, lastTransitionTime: now }])
})

test('an unchanged condition gives no patch', () => {
  assert.equal(patchOf([condition()]), undefined)
})

test('another message changes the condition, but not its transition time', () => {
  const patch = patchOf([condition({ message: 'something else' })])
  assert.equal(patch?.status.conditions?.[0]?.lastTransitionTime, '2026-01-01T00:00:00Z')
  assert.ok(patchOf([condition({ observedGeneration: 7 })]))
})

test('a nomination is written when it changes, and removed', () => {
  const nominate = (nominatedNode: string, before?: string) =>
    patchOf([condition()], { ...status, nominatedNode }, before)?.status.nominatedNodeName
  assert.equal(nominate('na'), 'na')
  assert.equal(nominate('na', 'na'), undefined)
  assert.equal(nominate('', 'na'), null)
  assert.equal(nominate(''), undefined)
  assert.equal(patchOf([condition()], status, 'na'), undefined)
})
