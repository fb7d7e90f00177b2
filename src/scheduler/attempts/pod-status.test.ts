import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PodCondition } from '../../api/core/v1/pod/status.js'
import { samplePod } from '../scheduler.test.kit.js'
import { type UnscheduledStatus, unscheduledStatusPatch } from './pod-status.js'

const now = '2026-01-01T00:00:10Z'
const news: UnscheduledStatus = { reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' }

function refused(more: Partial<PodCondition> = {}): PodCondition {
  const { reason, message } = news
  const lastTransitionTime = '2026-01-01T00:00:00Z'
  return { type: 'PodScheduled', status: 'False', lastTransitionTime, reason, message, observedGeneration: 1, ...more }
}

interface Patch {
  readonly metadata: object
  readonly status: { readonly conditions?: readonly PodCondition[]; readonly nominatedNodeName?: string | null }
}

function patchOf(conditions: readonly PodCondition[], given: UnscheduledStatus = news, nominatedNodeName?: string) {
  const status = { conditions: [...conditions], ...(nominatedNodeName && { nominatedNodeName }) }
  return unscheduledStatusPatch(samplePod('p', { status }), given, now) as Patch | undefined
}

test('the first rejection is written for the very pod that was seen', () => {
  const patch = patchOf([])
  assert.deepEqual(patch?.metadata, { uid: 'p', resourceVersion: '1' })
  assert.deepEqual(patch.status.conditions, [{ ...refused(), lastProbeTime: null, lastTransitionTime: now }])
})

test('what the pod says already is not written again', () => {
  assert.equal(patchOf([refused()]), undefined)
})

test('another reason is news, but no transition', () => {
  const patch = patchOf([refused({ message: 'something else' })])
  assert.equal(patch?.status.conditions?.[0]?.lastTransitionTime, '2026-01-01T00:00:00Z')
  assert.ok(patchOf([refused({ observedGeneration: 7 })]))
})

test('where the pod is going to be is written if it changes, and taken back', () => {
  const nominate = (nominatedNode: string, before?: string) =>
    patchOf([refused()], { ...news, nominatedNode }, before)?.status.nominatedNodeName
  assert.equal(nominate('na'), 'na')
  assert.equal(nominate('na', 'na'), undefined)
  assert.equal(nominate('', 'na'), null)
  assert.equal(nominate(''), undefined)
  assert.equal(patchOf([refused()], news, 'na'), undefined)
})
