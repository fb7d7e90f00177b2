import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Node } from '../../api/core/v1/node.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { type DaemonSetOptions, daemonSet, layout, names, node, pod } from './daemonset.test.kit.js'
import { podChanges } from './pod-changes.js'
import { daemonSetStatus } from './status.js'

const nodes = [node('nb'), node('na')]

function decided(
  pods: readonly Pod[],
  { on = nodes, delay = 0, ...options }: DaemonSetOptions & { on?: readonly Node[]; delay?: number } = {},
) {
  const delays = new Map(on.map(({ metadata }) => [metadata.name!, delay]))
  const { create, remove, ended, after } = podChanges(layout(daemonSet(options), on, pods), delays)
  return { create, remove: names(remove), ended: ended.length, after }
}

const nothing = { create: [], remove: [], ended: 0, after: undefined }

describe('a node gets a pod', () => {
  test('if it has none', () => {
    assert.deepEqual(decided([]), { ...nothing, create: ['na', 'nb'] })
    assert.deepEqual(decided([pod('a', 'na')]), { ...nothing, create: ['nb'] })
  })
  test('only if it has none', () =>
    assert.deepEqual(decided([pod('a', 'na'), pod('b', 'nb', { isPlaced: false })]), nothing))
  test('when the pod before it is gone', () => {
    const pods = [pod('a', 'na', { isTerminating: true }), pod('b', 'nb')]
    assert.deepEqual(decided(pods), nothing)
    const held = [pod('a', 'na', { isTerminating: true, phase: 'Failed' }), pod('b', 'nb')]
    assert.deepEqual(decided(held), { ...nothing, create: ['na'] })
  })
})

describe('pods are deleted', () => {
  const b = pod('b', 'nb')

  test('that have failed or succeeded', () => {
    assert.deepEqual(decided([pod('a', 'na', { phase: 'Failed' }), b]), { ...nothing, remove: ['a'], ended: 1 })
    assert.deepEqual(decided([pod('a', 'na', { phase: 'Succeeded' }), b]), { ...nothing, remove: ['a'], ended: 1 })
  })
  test('that have failed, after their delay', () =>
    assert.deepEqual(decided([pod('a', 'na', { phase: 'Failed' }), b], { delay: 800 }), { ...nothing, after: 800 }))
  test('if a node has two: the one that is not bound, or else the younger one', () => {
    assert.deepEqual(decided([pod('a', 'na', { createdAt: 1 }), pod('old', 'na'), b]).remove, ['a'])
    assert.deepEqual(decided([pod('a', 'na', { createdAt: 1 }), pod('old', 'na', { isPlaced: false }), b]).remove, [
      'old',
    ])
  })
  test('on nodes that should have none', () => {
    const taints = [{ key: 'k', effect: 'NoExecute' as const }]
    assert.deepEqual(decided([pod('a', 'na')], { on: [node('na', { taints })] }).remove, ['a'])
    assert.deepEqual(decided([pod('a', 'na', { isTerminating: true })], { on: [node('na', { taints })] }).remove, [])
  })
  test('if their node is gone and they are not bound; others are left to the pod garbage collector', () => {
    const pods = [pod('a', 'gone', { isPlaced: false }), pod('c', 'gone')]
    assert.deepEqual(decided(pods, { on: [] }).remove, ['a'])
  })
})

describe('during an update with surge, a node', () => {
  const surge = { maxSurge: 1, maxUnavailable: 0, on: [node('na')] }
  const old = pod('old', 'na', { hash: 'before', readySince: 0 })

  test('may have two pods', () => assert.deepEqual(decided([old, pod('new', 'na')], surge), nothing))
  test('loses the old pod when the new one is available', () =>
    assert.deepEqual(decided([old, pod('new', 'na', { readySince: 1 })], surge).remove, ['old']))
  test('loses an old pod that is not ready', () =>
    assert.deepEqual(decided([pod('old', 'na', { hash: 'before' }), pod('new', 'na')], surge).remove, ['old']))
  test('loses a third pod', () =>
    assert.deepEqual(decided([old, pod('new', 'na'), pod('newer', 'na', { createdAt: 9 })], surge).remove, ['newer']))
})

describe('the status', () => {
  test('counts nodes and their pods', () => {
    const set = daemonSet({ spec: { minReadySeconds: 10 } })
    const all = [
      node('na'),
      node('nb'),
      node('nc'),
      node('nd'),
      node('ne', { taints: [{ key: 'k', effect: 'NoSchedule' }] }),
    ]
    const pods = [
      pod('a', 'na', { readySince: 0 }),
      pod('b', 'nb', { readySince: 95, hash: 'before' }),
      pod('c', 'nc'),
      pod('e', 'ne'),
    ]
    assert.deepEqual(daemonSetStatus(layout(set, all, pods)), {
      currentNumberScheduled: 3,
      numberMisscheduled: 1,
      desiredNumberScheduled: 4,
      numberReady: 2,
      observedGeneration: 1,
      updatedNumberScheduled: 2,
      numberAvailable: 1,
      numberUnavailable: 3,
    })
  })
  test('leaves out zeros', () =>
    assert.deepEqual(daemonSetStatus(layout(daemonSet(), [], [])), {
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      desiredNumberScheduled: 0,
      numberReady: 0,
      observedGeneration: 1,
    }))
})
