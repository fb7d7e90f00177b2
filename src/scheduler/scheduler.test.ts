import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Node } from '../api/core/v1/node.js'
import { Pod } from '../api/core/v1/pod.js'
import { nodeResults } from './attempts/node-results.js'
import { defaultProfile } from './configuration/default-profile.js'
import { World } from './world.test.kit.js'

test('a pod is placed, told of, and bound by the server', async () => {
  await using world = await World.begin()
  await world.addNode('na')
  await world.start()
  await world.addPod('p', { requests: { cpu: '1' } })
  await world.rest()
  const { spec, status } = await world.pod('p')
  assert.equal(spec.nodeName, 'na')
  assert.deepEqual(
    status.conditions?.map(({ type, status: isTrue }) => [type, isTrue]),
    [['PodScheduled', 'True']],
  )
  assert.deepEqual(await world.events(), ['Scheduled p: Successfully assigned default/p to na'])
})

test('without nodes a pod is tried again after a while, and the first node takes it', async () => {
  await using world = await World.begin()
  await world.start()
  await world.addPod('p')
  await world.rest()
  assert.deepEqual(await world.placements(), ['p: no nodes available to schedule pods'])
  await world.addNode('na')
  await world.rest()
  assert.deepEqual(await world.placements(), ['p: no nodes available to schedule pods'])
  await world.clock.advance('1s')
  assert.deepEqual(await world.placements(), ['p on na'])
})

test('what is told of a pod that fits nowhere is what upstream says, with the generation that was looked at', async () => {
  await using world = await World.begin()
  await world.addNode('na', { allocatable: { cpu: '2', memory: '4Gi', pods: '1', 'example.com/widget': '2' } })
  await world.addNode('nb', { allocatable: { cpu: '1', memory: '1Gi' } })
  await world.start()
  await world.addPod('fits', { requests: { cpu: '1500m' } })
  await world.rest()
  for (const [name, requests] of [
    ['both', { cpu: '3', memory: '6Gi' }],
    ['full', { cpu: '1100m' }],
    ['second', { cpu: '500m' }],
  ] as const)
    await world.addPod(name, { requests })
  await world.rest()
  assert.deepEqual(await world.placements(), [
    'both: 0/2 nodes are available: 1 Too many pods, 2 Insufficient cpu, 2 Insufficient memory.',
    'fits on na',
    'full: 0/2 nodes are available: 1 Too many pods, 2 Insufficient cpu.',
    'second on nb',
  ])
  const [condition] = (await world.pod('full')).status.conditions ?? []
  assert.equal(condition?.reason, 'Unschedulable')
  assert.equal(condition.observedGeneration, 1)
  assert.equal(condition.lastProbeTime, null)
  await world.client.resource(Pod).in('default').delete('fits', { gracePeriodSeconds: 0 })
  await world.rest()
  assert.deepEqual((await world.placements())[1], 'full on na')
})

test('a taint that goes and a node that is opened let pods in', async () => {
  await using world = await World.begin()
  await world.addNode('na', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } })
  await world.start()
  await world.addPod('p')
  await world.rest()
  assert.deepEqual(await world.placements(), ['p: 0/1 nodes are available: 1 node(s) had untolerated taint(s).'])
  const nodes = world.client.resource(Node)
  await nodes.patch('na', 'merge', { spec: { taints: null, unschedulable: true } })
  await world.rest()
  assert.deepEqual(await world.placements(), ['p: 0/1 nodes are available: 1 node(s) were unschedulable.'])
  await nodes.patch('na', 'merge', { spec: { unschedulable: null } })
  await world.rest()
  assert.deepEqual(await world.placements(), ['p on na'])
})

test('pods with gates are not tried, and nothing is told of them', async () => {
  await using world = await World.begin()
  await world.addNode('na')
  await world.start()
  await world.addPod('p', { spec: { schedulingGates: [{ name: 'example.com/a' }] } })
  await world.clock.advance('10m')
  assert.deepEqual(await world.placements(), ['p: Scheduling is blocked due to non-empty scheduling gates'])
  assert.deepEqual(await world.events(), [])
  await world.client
    .resource(Pod)
    .in('default')
    .patch('p', 'merge', { spec: { schedulingGates: null } })
  await world.rest()
  assert.deepEqual(await world.placements(), ['p on na'])
})

test('pods of other schedulers are left alone, and a process may have several profiles', async () => {
  await using world = await World.begin()
  await world.addNode('na')
  await world.start({ profiles: { 'default-scheduler': defaultProfile, second: defaultProfile } })
  for (const schedulerName of ['default-scheduler', 'second', 'third'])
    await world.addPod(schedulerName, { spec: { schedulerName } })
  await world.rest()
  assert.deepEqual(await world.placements(), ['default-scheduler on na', 'second on na', 'third: not tried'])
})

test('a node that is full is not filled further, however fast pods come', async () => {
  await using world = await World.begin()
  for (const name of ['na', 'nb']) await world.addNode(name, { allocatable: { cpu: '2' } })
  await world.start()
  await Promise.all(Array.from({ length: 6 }, (_, i) => world.addPod(`p${i}`, { requests: { cpu: '1' } })))
  await world.rest()
  const placed = (await world.pods()).map(({ spec }) => spec.nodeName ?? 'nowhere').sort()
  assert.deepEqual(placed, ['na', 'na', 'nb', 'nb', 'nowhere', 'nowhere'])
})

test('a pod that is being deleted is not placed', async () => {
  await using world = await World.begin()
  await world.addNode('na', { spec: { unschedulable: true } })
  await world.start()
  const metadata = { name: 'p', namespace: 'default', finalizers: ['example.com/keep'] }
  await world.client.resource(Pod).create({ metadata, spec: { containers: [{ name: 'c', image: 'image' }] } })
  await world.rest()
  const pods = world.client.resource(Pod).in('default')
  await pods.delete('p', { gracePeriodSeconds: 0 })
  await world.client.resource(Node).patch('na', 'merge', { spec: { unschedulable: null } })
  await world.rest()
  assert.equal((await world.pod('p')).spec.nodeName, undefined)
  assert.ok((await world.events()).includes('FailedScheduling p: skip schedule deleting pod: default/p'))
})

test('it is remembered why a pod is where it is, or nowhere', async () => {
  await using world = await World.begin()
  await world.addNode('na', { spec: { unschedulable: true } })
  const scheduler = await world.start()
  await world.addPod('p')
  await world.rest()
  await world.addNode('nb')
  await world.rest()
  const attempts = scheduler.attempts('default/p')
  const [first, last] = [attempts[0], attempts.at(-1)]
  assert.match(first!.message!, /^0\/1 nodes are available: 1 node\(s\) were unschedulable\./)
  assert.equal(last?.message, undefined)
  assert.deepEqual(nodeResults(last!), [
    { node: 'nb' },
    { node: 'na', refusedBy: 'NodeUnschedulable', reasons: ['node(s) were unschedulable'] },
  ])
})
