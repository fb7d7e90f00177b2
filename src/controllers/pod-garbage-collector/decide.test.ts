import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import { decide, type PodCollectorObservation } from './decide.js'
import { failedPodStatus } from './force-delete.js'
import { NodeQuarantine } from './node-quarantine.js'

interface PodOptions {
  readonly phase?: string
  readonly reason?: string
  readonly created?: string
  readonly node?: string
  readonly ends?: boolean
}

function pod(
  name: string,
  { phase = 'Running', reason, created = '2026-01-01T00:00:00Z', node, ends }: PodOptions,
): Pod {
  const metadata = { name, creationTimestamp: created, ...(ends && { deletionTimestamp: created }) }
  return { metadata, spec: { nodeName: node }, status: { phase, reason } } as unknown as Pod
}

function planned(pods: readonly Pod[], more: Partial<PodCollectorObservation> = {}): readonly string[] {
  const nothing = { node: () => undefined, goneNodes: new Set<string>(), threshold: 12_500 }
  return decide({ pods, ...nothing, ...more }).map(({ pod, reason }) => `${pod.metadata.name} ${reason}`)
}

describe('of the pods that have ended', () => {
  const ended = [
    pod('young', { phase: 'Succeeded', created: '2026-01-03T00:00:00Z' }),
    pod('b-old', { phase: 'Failed', created: '2026-01-01T00:00:00Z' }),
    pod('a-old', { phase: 'Succeeded', created: '2026-01-01T00:00:00Z' }),
    pod('evicted', { phase: 'Failed', reason: 'Evicted', created: '2026-01-09T00:00:00Z' }),
    pod('running', { created: '2025-01-01T00:00:00Z' }),
    pod('waiting', { phase: 'Pending', created: '2025-01-01T00:00:00Z' }),
    pod('unknown', { phase: 'Unknown', created: '2025-01-01T00:00:00Z' }),
  ]
  const order = ['evicted', 'a-old', 'b-old', 'young'].map((name) => `${name} terminated`)

  for (const threshold of [1, 2, 3, 4, 100])
    test(`${threshold} may stay`, () => {
      assert.deepEqual(planned(ended, { threshold }), order.slice(0, Math.max(4 - threshold, 0)))
    })

  test('all may stay without a threshold', () => {
    for (const threshold of [0, -1]) assert.deepEqual(planned(ended, { threshold }), [])
  })
})

test('a pod is collected once, for the first reason that applies', () => {
  const pods = [
    pod('both', { phase: 'Failed', node: 'gone', created: '2026-01-01T00:00:00Z' }),
    pod('lost', { node: 'gone' }),
    pod('never-bound', { ends: true }),
    pod('ending', { node: 'here', ends: true }),
    pod('other', { phase: 'Failed', node: 'here', created: '2026-01-02T00:00:00Z' }),
  ]
  assert.deepEqual(planned(pods, { goneNodes: new Set(['gone']), threshold: 1 }), [
    'both terminated',
    'lost orphaned',
    'never-bound unscheduled',
  ])
})

test('the condition of a pod that is already disrupted keeps its time', () => {
  const disrupted = pod('disrupted', {})
  const before = { type: 'DisruptionTarget', status: 'True', lastTransitionTime: 'then' } as const
  const given = {
    ...disrupted,
    metadata: { ...disrupted.metadata, generation: 3 },
    status: { ...disrupted.status, conditions: [before] },
  }
  const status = failedPodStatus(given, { isOrphaned: true, now: 'now' })!
  assert.equal(status.observedGeneration, 3)
  assert.equal(status.conditions![0]!.lastTransitionTime, 'then')
  assert.deepEqual(failedPodStatus(given, { isOrphaned: false, now: 'now' }), {
    phase: 'Failed',
    observedGeneration: 3,
  })
  assert.equal(failedPodStatus(pod('ended', { phase: 'Succeeded' }), { isOrphaned: true, now: '' }), undefined)
})

test('a missing node is in quarantine for forty seconds, and again if it was there in between', () => {
  const quarantine = new NodeQuarantine()
  const look = (second: number, ...missing: readonly string[]) => quarantine.overdue(new Set(missing), second * 1000)
  assert.deepEqual(look(0, 'a'), [])
  assert.deepEqual(look(20, 'a', 'b'), [])
  assert.deepEqual(look(40, 'a', 'b'), ['a'])
  assert.deepEqual(look(41, 'a'), [], 'b came back')
  assert.deepEqual(look(60, 'a', 'b'), [])
  assert.deepEqual(look(100, 'a', 'b'), ['a', 'b'])
})
