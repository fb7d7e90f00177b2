import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Taint } from '../../api/core/v1/taint.js'
import { daemonPod, nodeNameOf } from './daemon-pod.js'
import { type DaemonSetOptions, daemonSet, node, pod } from './daemonset.test.kit.js'
import { placementOf } from './placement.js'

function placed(options: DaemonSetOptions, on: ReturnType<typeof node>): string {
  const { shouldRun, mayStay } = placementOf(daemonSet(options))(on)
  return shouldRun ? 'runs' : mayStay ? 'may stay' : 'does not run'
}

const tainted = (key: string, effect: Taint['effect']) => node('na', { taints: [{ key, effect }] })

describe('a daemon', () => {
  test('runs on every node', () => assert.equal(placed({}, node('na')), 'runs'))
  test('runs only where its selector says', () => {
    const pod = { nodeSelector: { disk: 'ssd' } }
    assert.equal(placed({ pod }, node('na', { labels: { disk: 'ssd' } })), 'runs')
    assert.equal(placed({ pod }, node('na')), 'does not run')
  })
  test('runs only on the node that it names', () => {
    assert.equal(placed({ pod: { nodeName: 'na' } }, node('na')), 'runs')
    assert.equal(placed({ pod: { nodeName: 'na' } }, node('nb')), 'does not run')
  })
  test('is kept away by a taint, but may stay where it is unless the taint drives it out', () => {
    assert.equal(placed({}, tainted('k', 'NoSchedule')), 'may stay')
    assert.equal(placed({}, tainted('k', 'NoExecute')), 'does not run')
    assert.equal(placed({}, tainted('k', 'PreferNoSchedule')), 'runs')
    assert.equal(
      placed({ pod: { tolerations: [{ key: 'k', operator: 'Exists' }] } }, tainted('k', 'NoExecute')),
      'runs',
    )
  })
  for (const [key, effect] of [
    ['not-ready', 'NoExecute'],
    ['unreachable', 'NoExecute'],
    ['disk-pressure', 'NoSchedule'],
    ['memory-pressure', 'NoSchedule'],
    ['pid-pressure', 'NoSchedule'],
    ['unschedulable', 'NoSchedule'],
  ] as const)
    test(`does not mind that a node is ${key}`, () =>
      assert.equal(placed({}, tainted(`node.kubernetes.io/${key}`, effect)), 'runs'))
  test('does not need the network of pods if it uses that of the node', () => {
    const unconnected = tainted('node.kubernetes.io/network-unavailable', 'NoSchedule')
    assert.equal(placed({}, unconnected), 'may stay')
    assert.equal(placed({ pod: { hostNetwork: true } }, unconnected), 'runs')
  })
})

describe('the pod of a daemon', () => {
  const preferredDuringSchedulingIgnoredDuringExecution = [{ weight: 1, preference: {} }]
  const requiredDuringSchedulingIgnoredDuringExecution = {
    nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'Exists' as const }] }],
  }
  const nodeAffinity = {
    preferredDuringSchedulingIgnoredDuringExecution,
    requiredDuringSchedulingIgnoredDuringExecution,
  }

  test('requires its node by name, in place of what it required, and keeps what it prefers', () => {
    const { spec } = daemonPod(daemonSet({ pod: { affinity: { nodeAffinity } } }), 'hash', 'na')
    assert.deepEqual(spec?.affinity?.nodeAffinity, {
      preferredDuringSchedulingIgnoredDuringExecution,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['na'] }] }],
      },
    })
  })

  test('says of which revision it is', () =>
    assert.equal(daemonPod(daemonSet(), 'hash', 'na').metadata.labels?.['controller-revision-hash'], 'hash'))

  test('is known by its node before it is placed', () => {
    assert.equal(nodeNameOf(pod('p', 'na', { isPlaced: false })), 'na')
    assert.equal(nodeNameOf(pod('p', 'na')), 'na')
    assert.equal(nodeNameOf({ ...pod('p', 'na', { isPlaced: false }), spec: { containers: [] } }), undefined)
  })
})
