import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Node } from '../api/core/v1/node.js'
import { Pod } from '../api/core/v1/pod.js'
import { nodeResults } from './attempts/node-results.js'
import { defaultProfile } from './configuration/profile-factory.js'
import { SchedulerHarness } from './harness.test.kit.js'

test('a pod is bound, and an Event records it', async () => {
  await using harness = await SchedulerHarness.create()
  await harness.addNode('na')
  await harness.startScheduler()
  await harness.addPod('p', { requests: { cpu: '1' } })
  await harness.settle()
  const { spec, status } = await harness.pod('p')
  assert.equal(spec.nodeName, 'na')
  assert.deepEqual(
    status.conditions?.map(({ type, status: isTrue }) => [type, isTrue]),
    [['PodScheduled', 'True']],
  )
  assert.deepEqual(await harness.events(), ['Scheduled p: Successfully assigned default/p to na'])
})

test('a pod in a cluster without nodes is scheduled after its backoff, when there is a node', async () => {
  await using harness = await SchedulerHarness.create()
  await harness.startScheduler()
  await harness.addPod('p')
  await harness.settle()
  assert.deepEqual(await harness.placements(), ['p: no nodes available to schedule pods'])
  await harness.addNode('na')
  await harness.settle()
  assert.deepEqual(await harness.placements(), ['p: no nodes available to schedule pods'])
  await harness.clock.advance('1s')
  assert.deepEqual(await harness.placements(), ['p on na'])
})

test('the condition of an unschedulable pod is that of upstream, with its observed generation', async () => {
  await using harness = await SchedulerHarness.create()
  await harness.addNode('na', { allocatable: { cpu: '2', memory: '4Gi', pods: '1', 'example.com/widget': '2' } })
  await harness.addNode('nb', { allocatable: { cpu: '1', memory: '1Gi' } })
  await harness.startScheduler()
  await harness.addPod('fits', { requests: { cpu: '1500m' } })
  await harness.settle()
  for (const [name, requests] of [
    ['both', { cpu: '3', memory: '6Gi' }],
    ['full', { cpu: '1100m' }],
    ['second', { cpu: '500m' }],
  ] as const)
    await harness.addPod(name, { requests })
  await harness.settle()
  assert.deepEqual(await harness.placements(), [
    'both: 0/2 nodes are available: 1 Too many pods, 2 Insufficient cpu, 2 Insufficient memory.',
    'fits on na',
    'full: 0/2 nodes are available: 1 Too many pods, 2 Insufficient cpu.',
    'second on nb',
  ])
  const [condition] = (await harness.pod('full')).status.conditions ?? []
  assert.equal(condition?.reason, 'Unschedulable')
  assert.equal(condition.observedGeneration, 1)
  assert.equal(condition.lastProbeTime, null)
  await harness.client.resource(Pod).in('default').delete('fits', { gracePeriodSeconds: 0 })
  await harness.settle()
  assert.deepEqual((await harness.placements())[1], 'full on na')
})

test('removing a taint and uncordoning a node make pods schedulable', async () => {
  await using harness = await SchedulerHarness.create()
  await harness.addNode('na', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } })
  await harness.startScheduler()
  await harness.addPod('p')
  await harness.settle()
  assert.deepEqual(await harness.placements(), ['p: 0/1 nodes are available: 1 node(s) had untolerated taint(s).'])
  const nodes = harness.client.resource(Node)
  await nodes.patch('na', 'merge', { spec: { taints: null, unschedulable: true } })
  await harness.settle()
  assert.deepEqual(await harness.placements(), ['p: 0/1 nodes are available: 1 node(s) were unschedulable.'])
  await nodes.patch('na', 'merge', { spec: { unschedulable: null } })
  await harness.settle()
  assert.deepEqual(await harness.placements(), ['p on na'])
})

test('a gated pod is not attempted, and has no Event', async () => {
  await using harness = await SchedulerHarness.create()
  await harness.addNode('na')
  await harness.startScheduler()
  await harness.addPod('p', { spec: { schedulingGates: [{ name: 'example.com/a' }] } })
  await harness.clock.advance('10m')
  assert.deepEqual(await harness.placements(), ['p: Scheduling is blocked due to non-empty scheduling gates'])
  assert.deepEqual(await harness.events(), [])
  await harness.client
    .resource(Pod)
    .in('default')
    .patch('p', 'merge', { spec: { schedulingGates: null } })
  await harness.settle()
  assert.deepEqual(await harness.placements(), ['p on na'])
})

test('a scheduler handles the pods of all its profiles, and no others', async () => {
  await using harness = await SchedulerHarness.create()
  await harness.addNode('na')
  await harness.startScheduler({ profiles: { 'default-scheduler': defaultProfile, second: defaultProfile } })
  for (const schedulerName of ['default-scheduler', 'second', 'third'])
    await harness.addPod(schedulerName, { spec: { schedulerName } })
  await harness.settle()
  assert.deepEqual(await harness.placements(), ['default-scheduler on na', 'second on na', 'third: not attempted'])
})

test('concurrent pods never exceed the capacity of a node', async () => {
  await using harness = await SchedulerHarness.create()
  for (const name of ['na', 'nb']) await harness.addNode(name, { allocatable: { cpu: '2' } })
  await harness.startScheduler()
  await Promise.all(Array.from({ length: 6 }, (_, i) => harness.addPod(`p${i}`, { requests: { cpu: '1' } })))
  await harness.settle()
  const placed = (await harness.pods()).map(({ spec }) => spec.nodeName ?? 'nowhere').sort()
  assert.deepEqual(placed, ['na', 'na', 'nb', 'nb', 'nowhere', 'nowhere'])
})

test('a pod that is being deleted is not scheduled', async () => {
  await using harness = await SchedulerHarness.create()
  await harness.addNode('na', { spec: { unschedulable: true } })
  await harness.startScheduler()
  const metadata = { name: 'p', namespace: 'default', finalizers: ['example.com/keep'] }
  await harness.client.resource(Pod).create({ metadata, spec: { containers: [{ name: 'c', image: 'image' }] } })
  await harness.settle()
  const pods = harness.client.resource(Pod).in('default')
  await pods.delete('p', { gracePeriodSeconds: 0 })
  await harness.client.resource(Node).patch('na', 'merge', { spec: { unschedulable: null } })
  await harness.settle()
  assert.equal((await harness.pod('p')).spec.nodeName, undefined)
  assert.ok((await harness.events()).includes('FailedScheduling p: skip schedule deleting pod: default/p'))
})

test('the attempts of a pod can be read', async () => {
  await using harness = await SchedulerHarness.create()
  await harness.addNode('na', { spec: { unschedulable: true } })
  const scheduler = await harness.startScheduler()
  await harness.addPod('p')
  await harness.settle()
  await harness.addNode('nb')
  await harness.settle()
  const attempts = scheduler.attempts('default/p')
  const [first, last] = [attempts[0], attempts.at(-1)]
  assert.match(first!.message!, /^0\/1 nodes are available: 1 node\(s\) were unschedulable\./)
  assert.equal(last?.message, undefined)
  assert.deepEqual(nodeResults(last!), [
    { node: 'nb' },
    { node: 'na', rejectedBy: 'NodeUnschedulable', reasons: ['node(s) were unschedulable'] },
  ])
})
