import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { notFound } from '../../../api/errors.js'
import type { PodInfo } from '../../cache/pod-info.js'
import type { PostFilterDependencies } from '../../framework/plugin.js'
import { cluster, node, pod } from '../plugins.test.kit.js'
import { evictVictims } from './eviction.js'
import { executeEviction } from './eviction.test.kit.js'

const vip = pod('vip', { priority: 100 })
const victim = (name: string, metadata = {}) => pod(name, { priority: 1, metadata: { generation: 3, ...metadata } })

function eviction(victims: readonly PodInfo[], displaced: readonly PodInfo[] = []) {
  const candidate = { node: cluster(node('n')).nodes[0]!, victims, violations: 0 }
  return {
    message: '',
    execute: (dependencies: PostFilterDependencies) => evictVictims({ pod: vip, candidate, displaced }, dependencies),
  }
}

describe('a victim', () => {
  test('gets a condition, is deleted, and has an Event', async () => {
    const { requests, events } = await executeEviction(eviction([victim('a')]))
    assert.deepEqual(
      requests.map(({ method, path }) => `${method} ${path}`),
      ['PATCH /api/v1/namespaces/default/pods/a/status', 'DELETE /api/v1/namespaces/default/pods/a'],
    )
    const { status } = requests[0]!.body as {
      readonly status: { readonly conditions: readonly Record<string, unknown>[] }
    }
    const [{ lastTransitionTime, ...condition }] = status.conditions as [Record<string, unknown>]
    assert.match(String(lastTransitionTime), /^20..-..-..T..:..:..Z$/)
    assert.deepEqual(condition, {
      type: 'DisruptionTarget',
      observedGeneration: 3,
      status: 'True',
      lastProbeTime: null,
      reason: 'PreemptionByScheduler',
      message: 'default-scheduler: preempting to accommodate a higher priority pod',
    })
    assert.deepEqual((requests[1]!.body as { readonly preconditions: object }).preconditions, { uid: 'default/a' })
    assert.deepEqual(
      events.map(({ about, type, reason, message }) => [about.metadata.name, type, reason, message]),
      [['a', 'Normal', 'Preempted', 'Preempted by pod default/vip on node n']],
    )
  })

  test('is not deleted again if it is terminating', async () => {
    const leaving = victim('b', { deletionTimestamp: '2026-01-01T00:00:00Z' })
    assert.deepEqual((await executeEviction(eviction([leaving, victim('a')]))).deleted, ['a'])
  })

  test('may already be deleted', async () => {
    const { events } = await executeEviction(eviction([victim('a')]), () => {
      throw notFound({ group: '', resource: 'pods' }, 'a')
    })
    assert.deepEqual(events, [])
  })

  test('is deleted last only when the others are terminating', async () => {
    const { deleted } = await executeEviction(eviction([victim('a'), victim('b'), victim('c')]))
    assert.equal(deleted.at(-1), 'c')
    const failing = executeEviction(eviction([victim('a'), victim('b')]), ({ path }) => {
      if (path.endsWith('/a')) throw new Error('the server is gone')
      assert.ok(!path.includes('/b'))
    })
    await assert.rejects(failing, /the server is gone/)
  })
})

test('nominated pods of lower priority lose their nomination', async () => {
  const displaced = pod('other', { priority: 2, status: { nominatedNodeName: 'n' } })
  const { requests } = await executeEviction(eviction([victim('a')], [displaced, pod('silent')]))
  assert.equal(requests[0]!.path, '/api/v1/namespaces/default/pods/other/status')
  assert.deepEqual(requests[0]!.body, { status: { nominatedNodeName: null } })
  assert.equal(requests.length, 3)
})
