import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Taint, Toleration } from '../../api/core/v1/taint.js'
import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import { ClusterSnapshot } from '../cache/snapshot.js'
import type { ClusterEvent } from '../framework/cluster-event.js'
import { isRejection, type SchedulerPlugin } from '../framework/plugin.js'
import { nodeInfo, podInfo, sampleNode, samplePod } from '../scheduler.test.kit.js'
import { nodeName } from './node-name.js'
import type { NodeResourcesFitArgs } from './node-resources/arguments.js'
import { nodeResourcesFit } from './node-resources/fit.js'
import { nodeUnschedulable } from './node-unschedulable.js'
import { isHelpful, testPlugin } from './plugins.test.kit.js'
import { schedulingGates } from './scheduling-gates.js'
import { taintToleration } from './taint-toleration.js'

function rejection(plugin: SchedulerPlugin, pod: PodInfo, node: NodeInfo) {
  const made = plugin.preFilter?.(pod, new ClusterSnapshot([node]))
  return made && !isRejection(made) ? made.filter(node) : made
}

function reasons(plugin: SchedulerPlugin, pod: PodInfo, node: NodeInfo): readonly string[] {
  return rejection(plugin, pod, node)?.reasons ?? []
}

function scores(plugin: SchedulerPlugin, pod: PodInfo, nodes: readonly NodeInfo[]): number[] {
  const scorer = plugin.preScore!(pod, new ClusterSnapshot(nodes), nodes)!
  const given = Float64Array.from(nodes, (node) => scorer.score(node))
  scorer.normalize?.(given, nodes)
  return [...given]
}

test('NodeName: a pod with a node name goes to no other node', () => {
  const pod = podInfo('p', { spec: { nodeName: 'na' } })
  assert.deepEqual(reasons(testPlugin(nodeName), pod, nodeInfo('na')), [])
  assert.deepEqual(reasons(testPlugin(nodeName), pod, nodeInfo('nb')), ["node(s) didn't match the requested node name"])
  assert.equal(testPlugin(nodeName).preFilter?.(podInfo('p'), new ClusterSnapshot([])), undefined)
})

test('NodeUnschedulable: a cordoned node takes only pods that tolerate it', () => {
  const closed = nodeInfo('na', { spec: { unschedulable: true } })
  assert.deepEqual(reasons(testPlugin(nodeUnschedulable), podInfo('p'), closed), ['node(s) were unschedulable'])
  assert.equal(rejection(testPlugin(nodeUnschedulable), podInfo('p'), closed)?.isResolvable, false)
  const tolerations: Toleration[] = [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }]
  assert.deepEqual(reasons(testPlugin(nodeUnschedulable), podInfo('p', { spec: { tolerations } }), closed), [])
})

test('TaintToleration: untolerated taints reject a node', () => {
  const taint = (effect: Taint['effect']): Taint => ({ key: 'team', value: 'blue', effect })
  const cases: readonly [Taint, Toleration | undefined, boolean][] = [
    [taint('NoSchedule'), undefined, false],
    [taint('NoExecute'), undefined, false],
    [taint('PreferNoSchedule'), undefined, true],
    [taint('NoSchedule'), { key: 'team', operator: 'Equal', value: 'blue', effect: 'NoSchedule' }, true],
    [taint('NoSchedule'), { key: 'team', operator: 'Equal', value: 'red', effect: 'NoSchedule' }, false],
    [taint('NoExecute'), { key: 'team', operator: 'Exists', effect: 'NoSchedule' }, false],
    [taint('NoExecute'), { operator: 'Exists' }, true],
  ]
  for (const [each, toleration, mayBeThere] of cases) {
    const pod = podInfo('p', { spec: { tolerations: toleration ? [toleration] : [] } })
    const found = reasons(testPlugin(taintToleration), pod, nodeInfo('na', { spec: { taints: [each] } }))
    assert.deepEqual(found, mayBeThere ? [] : ['node(s) had untolerated taint(s)'], JSON.stringify([each, toleration]))
  }
})

test('TaintToleration: PreferNoSchedule taints lower the score', () => {
  const taints = (count: number) =>
    Array.from({ length: count }, (_, i): Taint => ({ key: `k${i}`, effect: 'PreferNoSchedule' }))
  const nodes = [0, 1, 2].map((count) => nodeInfo(`n${count}`, { spec: { taints: taints(count) } }))
  assert.deepEqual(scores(testPlugin(taintToleration), podInfo('p'), nodes), [100, 50, 0])
  const tolerations: Toleration[] = [{ key: 'k0', operator: 'Exists' }]
  assert.deepEqual(scores(testPlugin(taintToleration), podInfo('p', { spec: { tolerations } }), nodes), [100, 100, 0])
})

test('NodeResourcesFit: all missing resources are named', () => {
  const used = podInfo('used', { requests: { cpu: '3', memory: '6Gi', 'example.com/gpu': '1' } })
  const node = nodeInfo('na', { allocatable: { pods: '1', 'example.com/gpu': '2' } }, [used])
  const requests = { cpu: '2', memory: '3Gi', 'example.com/gpu': '2', 'ephemeral-storage': '1Gi' }
  const found = rejection(testPlugin(nodeResourcesFit), podInfo('p', { requests }), node)
  assert.deepEqual(found?.reasons, [
    'Too many pods',
    'Insufficient cpu',
    'Insufficient memory',
    'Insufficient ephemeral-storage',
    'Insufficient example.com/gpu',
  ])
})

test('NodeResourcesFit: a request above the capacity is unresolvable', () => {
  const node = nodeInfo('na', {}, [podInfo('used', { requests: { cpu: '3' } })])
  assert.equal(
    rejection(testPlugin(nodeResourcesFit), podInfo('p', { requests: { cpu: '2' } }), node)?.isResolvable,
    true,
  )
  assert.equal(
    rejection(testPlugin(nodeResourcesFit), podInfo('p', { requests: { cpu: '5' } }), node)?.isResolvable,
    false,
  )
})

test('NodeResourcesFit: a pod may use exactly the rest, and a pod without requests fits a full node', () => {
  const full = nodeInfo('na', {}, [podInfo('used', { requests: { cpu: '3500m', memory: '8Gi' } })])
  assert.deepEqual(reasons(testPlugin(nodeResourcesFit), podInfo('p', { requests: { cpu: '500m' } }), full), [])
  const more = nodeInfo('na', {}, [podInfo('used', { requests: { cpu: '5', memory: '9Gi' } })])
  assert.deepEqual(reasons(testPlugin(nodeResourcesFit), podInfo('p'), more), [])
})

test('NodeResourcesFit: ignored resources do not count', () => {
  const pod = podInfo('p', { requests: { 'example.com/gpu': '1', 'other.com/thing': '1' } })
  const found = (args: NodeResourcesFitArgs) => reasons(testPlugin(nodeResourcesFit, args), pod, nodeInfo('na'))
  assert.deepEqual(found({ ignoredResources: ['example.com/gpu'] }), ['Insufficient other.com/thing'])
  assert.deepEqual(found({ ignoredResourceGroups: ['other.com'] }), ['Insufficient example.com/gpu'])
})

test('NodeResourcesFit: emptier nodes score higher, and containers without requests count with defaults', () => {
  const half = podInfo('half', { requests: { cpu: '2', memory: '4Gi' } })
  const nodes = [nodeInfo('empty'), nodeInfo('half', {}, [half]), nodeInfo('silent', {}, [podInfo('q')])]
  // (100 - 25 + 100 - 25) / 2, and so on, each rounded down
  assert.deepEqual(
    scores(testPlugin(nodeResourcesFit), podInfo('p', { requests: { cpu: '1', memory: '2Gi' } }), nodes),
    [75, 25, 72],
  )
})

test('queueing hints accept the events that can help', () => {
  const node = (parts: Parameters<typeof sampleNode>[1] = {}) => sampleNode('na', parts)
  const changed = (
    action: 'taints' | 'allocatable' | 'unschedulable',
    object = node(),
    old = node(),
  ): ClusterEvent => ({
    resource: 'Node',
    actions: [action],
    object,
    old,
  })
  const tainted = node({ spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } })
  const small = node({ allocatable: { cpu: '1' } })
  const pod = podInfo('p', { requests: { cpu: '2' } })
  const cases: readonly [SchedulerPlugin, ClusterEvent, boolean][] = [
    [testPlugin(taintToleration), changed('taints', node(), tainted), true],
    [testPlugin(taintToleration), changed('taints', tainted, node()), false],
    [testPlugin(taintToleration), { resource: 'Node', actions: ['added'], object: tainted }, false],
    [testPlugin(nodeUnschedulable), changed('unschedulable', node({ spec: { unschedulable: true } })), false],
    [testPlugin(nodeUnschedulable), changed('unschedulable'), true],
    [testPlugin(nodeResourcesFit), changed('allocatable', node(), small), true],
    [testPlugin(nodeResourcesFit), changed('allocatable', small, node()), false],
    [testPlugin(nodeResourcesFit), changed('allocatable', node({ allocatable: { memory: '9Gi' } })), false],
    [testPlugin(nodeResourcesFit), changed('allocatable', node({ allocatable: { pods: '11' } })), true],
    [testPlugin(nodeResourcesFit), { resource: 'Node', actions: ['added'], object: small }, false],
    [testPlugin(nodeResourcesFit), { resource: 'AssignedPod', actions: ['deleted'], object: samplePod('q') }, true],
    [testPlugin(nodeResourcesFit), { resource: 'AssignedPod', actions: ['added'], object: samplePod('q') }, false],
    [testPlugin(nodeResourcesFit), scaled({ cpu: '2' }, { cpu: '1' }), true],
    [testPlugin(nodeResourcesFit), scaled({ memory: '2' }, { memory: '1' }), false],
    [testPlugin(nodeName), { resource: 'Node', actions: ['added'], object: node() }, false],
  ]
  for (const [plugin, event, could] of cases)
    assert.equal(isHelpful(plugin, pod, event), could, `${plugin.name}, ${event.resource} ${event.actions}`)
})

function scaled(from: Readonly<Record<string, string>>, to: Readonly<Record<string, string>>): ClusterEvent {
  const [old, object] = [from, to].map((requests) => samplePod('q', { requests }))
  return { resource: 'AssignedPod', actions: ['scaled down'], object: object!, old: old! }
}

test('SchedulingGates: the rejection names the gates', () => {
  const pod = podInfo('p', { spec: { schedulingGates: [{ name: 'a' }, { name: 'b' }] } })
  assert.deepEqual(testPlugin(schedulingGates).preEnqueue?.(pod)?.reasons, ['waiting for scheduling gates: [a b]'])
  assert.equal(testPlugin(schedulingGates).preEnqueue?.(podInfo('p')), undefined)
})
