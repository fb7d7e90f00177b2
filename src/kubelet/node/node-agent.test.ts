import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Lease } from '../../api/coordination/v1/lease.js'
import { Node } from '../../api/core/v1/node.js'
import { nodeWorld } from './node.test.kit.js'
import { simulatedHost } from './node-host.js'

describe('a kubelet that starts', () => {
  test('is a Node, ready, with all that it has, within a moment', async () => {
    await using world = await nodeWorld({ present: ['web:1'] })
    await world.begin()
    assert.equal(world.clock.monotonic(), 0)
    const { metadata, spec, status } = await world.node()
    assert.deepEqual(metadata.labels, {
      'beta.kubernetes.io/arch': 'amd64',
      'beta.kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/hostname': 'host',
      'kubernetes.io/os': 'linux',
    })
    assert.equal(metadata.annotations?.['volumes.kubernetes.io/controller-managed-attach-detach'], 'true')
    assert.equal(spec.unschedulable, undefined)
    assert.deepEqual(status.capacity, { cpu: '4', 'ephemeral-storage': '100Gi', memory: '16Gi', pods: '110' })
    assert.deepEqual(status.allocatable, {
      cpu: '4',
      'ephemeral-storage': '96636764k',
      memory: '16284Mi',
      pods: '110',
    })
    assert.deepEqual(status.addresses, [
      { type: 'InternalIP', address: '192.0.2.7' },
      { type: 'Hostname', address: 'host' },
    ])
    assert.equal(status.daemonEndpoints?.kubeletEndpoint?.Port, 10_250)
    assert.equal(status.nodeInfo?.containerRuntimeVersion, 'proa-simulated://0.1.0')
    assert.equal(status.nodeInfo?.kubeletVersion, 'v1.36.4')
    assert.equal(status.images?.length, 1)
    assert.match(status.images?.[0]?.names?.[0] ?? '', /^docker\.io\/library\/web@sha256:/)
    assert.equal(status.images?.[0]?.names?.[1], 'docker.io/library/web:1')
    assert.deepEqual(status.runtimeHandlers, [
      { name: 'runc', features: { recursiveReadOnlyMounts: false, userNamespaces: true } },
    ])
    assert.deepEqual(
      status.conditions?.map(({ type, status: is, reason, message }) => `${type}=${is} ${reason}: ${message}`),
      [
        'MemoryPressure=False KubeletHasSufficientMemory: kubelet has sufficient memory available',
        'DiskPressure=False KubeletHasNoDiskPressure: kubelet has no disk pressure',
        'PIDPressure=False KubeletHasSufficientPID: kubelet has sufficient PID available',
        'Ready=True KubeletReady: kubelet is posting ready status',
      ],
    )
    assert.deepEqual(world.told, [
      'Normal Starting: Starting kubelet.',
      'Normal NodeHasSufficientMemory: Node host status is now: NodeHasSufficientMemory',
      'Normal NodeHasNoDiskPressure: Node host status is now: NodeHasNoDiskPressure',
      'Normal NodeHasSufficientPID: Node host status is now: NodeHasSufficientPID',
      'Normal NodeReady: Node host status is now: NodeReady',
    ])
  })

  test('has the labels, taints and provider that it was told', async () => {
    await using world = await nodeWorld()
    const taint = { key: 'example.com/special', value: 'yes', effect: 'NoExecute' } as const
    const options = { labels: { 'example.com/x': 'y' }, taints: [taint], providerId: 'proa://1', isSchedulable: false }
    await world.begin({ options })
    const { metadata, spec } = await world.node()
    assert.equal(metadata.labels?.['example.com/x'], 'y')
    assert.equal(spec.providerID, 'proa://1')
    assert.equal(spec.unschedulable, true)
    const keys = spec.taints?.map(({ key }) => key) ?? []
    assert.ok(keys.includes('example.com/special') && keys.includes('node.kubernetes.io/unschedulable'))
  })

  test('takes over a Node of its name, and what others made of it stays', async () => {
    await using world = await nodeWorld()
    await world.admin.resource(Node).create({
      metadata: { name: 'host', labels: { 'kubernetes.io/arch': 'other', 'example.com/mine': 'yes' } },
      spec: { podCIDRs: ['10.1.0.0/24'] },
      status: {
        capacity: { 'example.com/dongle': '3', 'hugepages-16Mi': '0' },
        nodeInfo: { bootID: 'an earlier one' } as never,
        addresses: [
          { type: 'InternalIP', address: '192.0.2.9' },
          { type: 'ExternalIP', address: '198.51.100.9' },
        ],
        conditions: [
          { type: 'NetworkUnavailable', status: 'False' },
          { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' },
        ],
      },
    })
    await world.begin()
    const { metadata, status } = await world.node()
    assert.equal(metadata.labels?.['kubernetes.io/arch'], 'amd64')
    assert.equal(metadata.labels?.['example.com/mine'], 'yes')
    assert.equal(status.capacity?.['example.com/dongle'], '3')
    assert.equal(status.allocatable?.['example.com/dongle'], '3')
    assert.equal(status.capacity?.['hugepages-16Mi'], undefined)
    assert.deepEqual(
      status.addresses?.map(({ address }) => address),
      ['192.0.2.7', 'host'],
    )
    assert.deepEqual(
      status.conditions?.map(({ type }) => type),
      ['NetworkUnavailable', 'Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'],
    )
    assert.match(await world.condition('Ready'), /^True KubeletReady/)
    assert.ok(world.told.some((line) => line.startsWith('Warning Rebooted: Node host has been rebooted, boot id: ')))
  })

  test('that makes no Node takes the one that somebody else made', async () => {
    await using world = await nodeWorld()
    await world.admin.resource(Node).create({ metadata: { name: 'host' } })
    const agent = await world.start({ options: { isRegistered: false } })
    await world.clock.settle()
    assert.match(await world.condition('Ready'), /^True/)
    assert.equal((await agent.registered).metadata.name, 'host')
  })
})

describe('a Node', () => {
  test('tells that it still is every five minutes, and what changed within seconds', async () => {
    await using world = await nodeWorld()
    await world.begin()
    const first = (await world.node()).metadata.resourceVersion
    await world.clock.advance('4m30s')
    assert.equal((await world.node()).metadata.resourceVersion, first)
    await world.clock.advance('45s')
    const second = await world.node()
    assert.notEqual(second.metadata.resourceVersion, first)
    const [memory] = second.status.conditions ?? []
    assert.notEqual(memory?.lastHeartbeatTime, memory?.lastTransitionTime)
    await world.runtime.pullImage({ image: { image: 'web:2' } })
    await world.clock.advance('41s')
    assert.equal((await world.node()).status.images?.length, 1)
  })

  test('is not ready while its network is not, and ready again at the next look', async () => {
    await using world = await nodeWorld()
    const message = 'Network plugin returns error: cni plugin not initialized'
    world.mood.network = { status: false, reason: 'NetworkPluginNotReady', message }
    const agent = await world.begin()
    assert.equal(
      await world.condition('Ready'),
      `False KubeletNotReady: container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:${message}`,
    )
    assert.equal(agent.health.networkProblem?.startsWith('container runtime network not ready'), true)
    world.mood.network = { status: true }
    await world.clock.advance(100)
    assert.match(await world.condition('Ready'), /^True/)
    world.mood.network = { status: false }
    await world.clock.advance('5s')
    assert.match(await world.condition('Ready'), /^False/)
    const ready = world.told.flatMap((line) => /Node(?:Not)?Ready$/.exec(line) ?? [])
    assert.deepEqual(ready, ['NodeReady', 'NodeNotReady'])
  })

  test('says that its runtime is down when it was away for half a minute', async () => {
    await using world = await nodeWorld()
    await world.begin()
    world.mood.isDown = true
    await world.clock.advance('29s')
    assert.match(await world.condition('Ready'), /^True/)
    await world.clock.advance('6s')
    assert.equal(await world.condition('Ready'), 'False KubeletNotReady: container runtime is down')
    world.mood.isDown = false
    await world.clock.advance('5s')
    assert.match(await world.condition('Ready'), /^True/)
  })

  test('says so when nobody has seen its runtime yet', async () => {
    await using world = await nodeWorld()
    world.mood.isDown = true
    const agent = await world.start()
    await world.clock.advance('1s')
    await agent.registered
    assert.equal(
      await world.condition('Ready'),
      'False KubeletNotReady: [container runtime status check may not have completed yet, network state unknown]',
    )
  })

  test('is told of when nothing is to be scheduled on it, and when something may be again', async () => {
    await using world = await nodeWorld()
    await world.begin()
    world.told.length = 0
    for (const unschedulable of [true, false]) {
      await world.admin.resource(Node).patch('host', 'merge', { spec: { unschedulable } })
      await world.clock.settle()
    }
    assert.deepEqual(world.told, [
      'Normal NodeNotSchedulable: Node host status is now: NodeNotSchedulable',
      'Normal NodeSchedulable: Node host status is now: NodeSchedulable',
    ])
  })

  test('that was deleted is not made again by the kubelet that runs', async () => {
    await using world = await nodeWorld()
    const agent = await world.begin()
    await world.admin.resource(Node).delete('host')
    await world.clock.advance('1m')
    assert.equal(agent.node(), undefined)
    await assert.rejects(world.node(), { reason: 'NotFound' })
  })

  test('is under pressure when its disk is full, and for five minutes after', async () => {
    await using world = await nodeWorld()
    const host = simulatedHost()
    const full = { capacity: 100, available: 9, inodes: 0, inodesFree: 0 }
    let isFull = false
    const measure: typeof host.measure = async (path) => (isFull ? full : host.measure(path))
    await world.begin({ host: { ...host, measure } })
    isFull = true
    await world.clock.advance('11s')
    assert.equal(await world.condition('DiskPressure'), 'True KubeletHasDiskPressure: kubelet has disk pressure')
    isFull = false
    await world.clock.advance('4m45s')
    assert.match(await world.condition('DiskPressure'), /^True/)
    await world.clock.advance('30s')
    assert.match(await world.condition('DiskPressure'), /^False/)
    assert.ok(world.told.some((line) => line.includes('NodeHasDiskPressure')))
  })
})

describe('the lease of a node', () => {
  const leaseOf = async (world: Awaited<ReturnType<typeof nodeWorld>>) =>
    world.admin.resource(Lease).in('kube-node-lease').get('host')

  test('is renewed every ten seconds, and goes with the node', async () => {
    await using world = await nodeWorld()
    const agent = await world.begin()
    const { metadata } = await agent.registered
    const first = await leaseOf(world)
    assert.deepEqual(first.metadata.ownerReferences, [
      { apiVersion: 'v1', kind: 'Node', name: 'host', uid: metadata.uid },
    ])
    assert.equal(first.spec.holderIdentity, 'host')
    assert.equal(first.spec.leaseDurationSeconds, 40)
    await world.clock.advance('10.5s')
    const second = await leaseOf(world)
    assert.ok(Date.parse(second.spec.renewTime!) - Date.parse(first.spec.renewTime!) >= 10_000)
  })

  test('is renewed whoever wrote or deleted it', async () => {
    await using world = await nodeWorld()
    await world.begin()
    await world.admin
      .resource(Lease)
      .in('kube-node-lease')
      .patch('host', 'merge', { metadata: { labels: { a: 'b' } } })
    const before = await leaseOf(world)
    await world.clock.advance('11s')
    const after = await leaseOf(world)
    assert.notEqual(after.spec.renewTime, before.spec.renewTime)
    assert.equal(after.metadata.labels?.a, 'b')
    await world.admin.resource(Lease).in('kube-node-lease').delete('host')
    await world.clock.advance('12s')
    assert.equal((await leaseOf(world)).spec.holderIdentity, 'host')
  })
})
