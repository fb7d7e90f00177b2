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
import { nodeResourcesFit } from './node-resources/fit.js'
import { nodeUnschedulable } from './node-unschedulable.js'
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

function helps(plugin: SchedulerPlugin, pod: PodInfo, event: ClusterEvent): boolean {
  return plugin.queueingHints!.some(
    ({ resource, actions, isHelpful: ask }) =>
      resource === event.resource &&
      event.actions.some((each) => actions.includes(each)) &&
      (ask?.(pod, event) ?? true),
  )
}

test('a pod that names its node goes nowhere else', () => {
  const pod = podInfo('p', { spec: { nodeName: 'na' } })
  assert.deepEqual(reasons(nodeName(), pod, nodeInfo('na')), [])
  assert.deepEqual(reasons(nodeName(), pod, nodeInfo('nb')), ["node(s) didn't match the requested node name"])
  assert.equal(nodeName().preFilter?.(podInfo('p'), new ClusterSnapshot([])), undefined)
})

test('a closed node takes only pods that do not mind', () => {
  const closed = nodeInfo('na', { spec: { unschedulable: true } })
  assert.deepEqual(reasons(nodeUnschedulable(), podInfo('p'), closed), ['node(s) were unschedulable'])
  assert.equal(rejection(nodeUnschedulable(), podInfo('p'), closed)?.isResolvable, false)
  const tolerations: Toleration[] = [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }]
  assert.deepEqual(reasons(nodeUnschedulable(), podInfo('p', { spec: { tolerations } }), closed), [])
})

test('taints keep pods away that do not tolerate them', () => {
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
    const said = reasons(taintToleration(), pod, nodeInfo('na', { spec: { taints: [each] } }))
    assert.deepEqual(said, mayBeThere ? [] : ['node(s) had untolerated taint(s)'], JSON.stringify([each, toleration]))
  }
})

test('taints that only repel make a node less welcome', () => {
  const taints = (count: number) =>
    Array.from({ length: count }, (_, i): Taint => ({ key: `k${i}`, effect: 'PreferNoSchedule' }))
  const nodes = [0, 1, 2].map((count) => nodeInfo(`n${count}`, { spec: { taints: taints(count) } }))
  assert.deepEqual(scores(taintToleration(), podInfo('p'), nodes), [100, 50, 0])
  const tolerations: Toleration[] = [{ key: 'k0', operator: 'Exists' }]
  assert.deepEqual(scores(taintToleration(), podInfo('p', { spec: { tolerations } }), nodes), [100, 100, 0])
})

test('what a node has not left is told, all of it', () => {
  const used = podInfo('used', { requests: { cpu: '3', memory: '6Gi', 'example.com/gpu': '1' } })
  const node = nodeInfo('na', { allocatable: { pods: '1', 'example.com/gpu': '2' } }, [used])
  const requests = { cpu: '2', memory: '3Gi', 'example.com/gpu': '2', 'ephemeral-storage': '1Gi' }
  const said = rejection(nodeResourcesFit(), podInfo('p', { requests }), node)
  assert.deepEqual(said?.reasons, [
    'Too many pods',
    'Insufficient cpu',
    'Insufficient memory',
    'Insufficient ephemeral-storage',
    'Insufficient example.com/gpu',
  ])
})

test('what not even the empty node has is not to be had by removing pods', () => {
  const node = nodeInfo('na', {}, [podInfo('used', { requests: { cpu: '3' } })])
  assert.equal(rejection(nodeResourcesFit(), podInfo('p', { requests: { cpu: '2' } }), node)?.isResolvable, true)
  assert.equal(rejection(nodeResourcesFit(), podInfo('p', { requests: { cpu: '5' } }), node)?.isResolvable, false)
})

test('exactly what is left is enough, and who asks for nothing fits where nothing is left', () => {
  const full = nodeInfo('na', {}, [podInfo('used', { requests: { cpu: '3500m', memory: '8Gi' } })])
  assert.deepEqual(reasons(nodeResourcesFit(), podInfo('p', { requests: { cpu: '500m' } }), full), [])
  const more = nodeInfo('na', {}, [podInfo('used', { requests: { cpu: '5', memory: '9Gi' } })])
  assert.deepEqual(reasons(nodeResourcesFit(), podInfo('p'), more), [])
})

test('resources that somebody else looks after are not looked at', () => {
  const pod = podInfo('p', { requests: { 'example.com/gpu': '1', 'other.com/thing': '1' } })
  const said = (options: Parameters<typeof nodeResourcesFit>[0]) =>
    reasons(nodeResourcesFit(options), pod, nodeInfo('na'))
  assert.deepEqual(said({ ignoredResources: ['example.com/gpu'] }), ['Insufficient other.com/thing'])
  assert.deepEqual(said({ ignoredResourceGroups: ['other.com'] }), ['Insufficient example.com/gpu'])
})

test('the emptier a node is left, the higher it scores; containers that say nothing count a little', () => {
  const half = podInfo('half', { requests: { cpu: '2', memory: '4Gi' } })
  const nodes = [nodeInfo('empty'), nodeInfo('half', {}, [half]), nodeInfo('silent', {}, [podInfo('q')])]
  // (100 - 25 + 100 - 25) / 2, and so on, each rounded down
  assert.deepEqual(
    scores(nodeResourcesFit(), podInfo('p', { requests: { cpu: '1', memory: '2Gi' } }), nodes),
    [75, 25, 72],
  )
})

test('events help whom they can help', () => {
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
    [taintToleration(), changed('taints', node(), tainted), true],
    [taintToleration(), changed('taints', tainted, node()), false],
    [taintToleration(), { resource: 'Node', actions: ['added'], object: tainted }, false],
    [nodeUnschedulable(), changed('unschedulable', node({ spec: { unschedulable: true } })), false],
    [nodeUnschedulable(), changed('unschedulable'), true],
    [nodeResourcesFit(), changed('allocatable', node(), small), true],
    [nodeResourcesFit(), changed('allocatable', small, node()), false],
    [nodeResourcesFit(), changed('allocatable', node({ allocatable: { memory: '9Gi' } })), false],
    [nodeResourcesFit(), changed('allocatable', node({ allocatable: { pods: '11' } })), true],
    [nodeResourcesFit(), { resource: 'Node', actions: ['added'], object: small }, false],
    [nodeResourcesFit(), { resource: 'AssignedPod', actions: ['deleted'], object: samplePod('q') }, true],
    [nodeResourcesFit(), { resource: 'AssignedPod', actions: ['added'], object: samplePod('q') }, false],
    [nodeResourcesFit(), scaled({ cpu: '2' }, { cpu: '1' }), true],
    [nodeResourcesFit(), scaled({ memory: '2' }, { memory: '1' }), false],
    [nodeName(), { resource: 'Node', actions: ['added'], object: node() }, false],
  ]
  for (const [plugin, event, could] of cases)
    assert.equal(helps(plugin, pod, event), could, `${plugin.name}, ${event.resource} ${event.actions}`)
})

function scaled(from: Readonly<Record<string, string>>, to: Readonly<Record<string, string>>): ClusterEvent {
  const [old, object] = [from, to].map((requests) => samplePod('q', { requests }))
  return { resource: 'AssignedPod', actions: ['scaled down'], object: object!, old: old! }
}

test('a gate is told by name', () => {
  const pod = podInfo('p', { spec: { schedulingGates: [{ name: 'a' }, { name: 'b' }] } })
  assert.deepEqual(schedulingGates().preEnqueue?.(pod)?.reasons, ['waiting for scheduling gates: [a b]'])
  assert.equal(schedulingGates().preEnqueue?.(podInfo('p')), undefined)
})
