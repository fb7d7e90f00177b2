import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Node } from '../../api/core/v1/node.js'
import { notReadyTaint, unreachableTaint } from './eviction.js'
import { decide, type NodeObservation } from './node-check.js'

const lastHeartbeatTime = '2026-01-01T00:00:00Z'

function node(ready?: string, taints: readonly object[] = []): Node {
  const conditions = ready === undefined ? [] : [{ type: 'Ready', status: ready, lastHeartbeatTime }]
  const metadata = { name: 'n', creationTimestamp: lastHeartbeatTime }
  return { metadata, spec: { taints }, status: { conditions } } as unknown as Node
}

/** A node whose heartbeat has been the same for `silence` milliseconds. */
function followUpOf(of: Node, silence = 0, options: Partial<NodeObservation> = {}) {
  const known = { aliveAt: 0, ready: of.status.conditions?.[0], renewTime: undefined }
  const time = { now: Date.parse(lastHeartbeatTime) + silence, uptime: silence }
  const grace = { grace: 50_000, startupGrace: 60_000 }
  return decide({ node: of, latest: of, lease: undefined, known, isUnmarked: false, ...time, ...grace, ...options })
    .followUp
}

describe('a node', () => {
  const reachable = { taints: { remove: [unreachableTaint, notReadyTaint] }, queue: 'remove' }

  test('that is ready has no taint and is not queued', () => {
    assert.deepEqual(followUpOf(node('True')), { hasBecomeUnready: false, marksPods: false, ...reachable })
  })

  test('is not queued by the first check that finds it without heartbeat, but its pods are marked', () => {
    assert.deepEqual(followUpOf(node('True'), 50_001), { hasBecomeUnready: true, marksPods: true, ...reachable })
  })

  test('is queued by the second check', () => {
    assert.deepEqual(followUpOf(node('Unknown'), 55_000), { hasBecomeUnready: false, marksPods: false, queue: 'add' })
  })

  test('whose pods could not be marked is tried again', () => {
    assert.equal(followUpOf(node('Unknown'), 55_000, { isUnmarked: true })?.marksPods, true)
    assert.equal(followUpOf(node('True'), 0, { isUnmarked: true })?.marksPods, false)
  })

  test('that has the taint already is not queued', () => {
    assert.deepEqual(followUpOf(node('False', [notReadyTaint])), { hasBecomeUnready: false, marksPods: false })
  })

  test('that has the other taint gets the right one without waiting', () => {
    assert.deepEqual(followUpOf(node('Unknown', [notReadyTaint]), 55_000)?.taints, {
      add: [unreachableTaint],
      remove: [notReadyTaint],
    })
  })

  test('without status is left alone until its grace period ends', () => {
    assert.equal(followUpOf(node(), 60_000), undefined)
    assert.equal(followUpOf(node(), 60_001)?.queue, 'add')
  })
})
