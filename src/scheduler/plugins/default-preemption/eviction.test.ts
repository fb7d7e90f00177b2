import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { notFound } from '../../../api/errors.js'
import type { PodInfo } from '../../cache/pod-info.js'
import { cluster, node, pod } from '../plugins.test.kit.js'
import { evictVictims } from './eviction.js'
import { evictedBy } from './preemption.test.kit.js'

const vip = pod('vip', { priority: 100 })
const victim = (name: string, metadata = {}) => pod(name, { priority: 1, metadata: { generation: 3, ...metadata } })

function eviction(victims: readonly PodInfo[], displaced: readonly PodInfo[] = []) {
  const candidate = { node: cluster(node('n')).nodes[0]!, victims, violations: 0 }
  return {
    message: '',
    execute: (means: Parameters<typeof evictVictims>[1]) => evictVictims({ pod: vip, candidate, displaced }, means),
  }
}

describe('whoever has to go', () => {
  test('is marked, then deleted, and told by whom', async () => {
    const { requests, events } = await evictedBy(eviction([victim('a')]))
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

  test('is not told again if it is leaving already', async () => {
    const leaving = victim('b', { deletionTimestamp: '2026-01-01T00:00:00Z' })
    assert.deepEqual((await evictedBy(eviction([leaving, victim('a')]))).deleted, ['a'])
  })

  test('may be gone by then', async () => {
    const { events } = await evictedBy(eviction([victim('a')]), () => {
      throw notFound({ group: '', resource: 'pods' }, 'a')
    })
    assert.deepEqual(events, [])
  })

  test('is the last one only when the others are on their way', async () => {
    const { deleted } = await evictedBy(eviction([victim('a'), victim('b'), victim('c')]))
    assert.equal(deleted.at(-1), 'c')
    const failing = evictedBy(eviction([victim('a'), victim('b')]), ({ path }) => {
      if (path.endsWith('/a')) throw new Error('the server is gone')
      assert.ok(!path.includes('/b'))
    })
    await assert.rejects(failing, /the server is gone/)
  })
})

test('those who wanted to be there and matter less look for another place', async () => {
  const displaced = pod('other', { priority: 2, status: { nominatedNodeName: 'n' } })
  const { requests } = await evictedBy(eviction([victim('a')], [displaced, pod('silent')]))
  assert.equal(requests[0]!.path, '/api/v1/namespaces/default/pods/other/status')
  assert.deepEqual(requests[0]!.body, { status: { nominatedNodeName: null } })
  assert.equal(requests.length, 3)
})
