import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Lease } from '../../api/coordination/v1/lease.js'
import { Node } from '../../api/core/v1/node.js'
import { nodeHarness } from './node.test.kit.js'
import { simulatedHost } from './node-host.js'

describe('a kubelet that starts', () => {
  test('registers a ready Node with its resources at once', async () => {
    await using harness = await nodeHarness({ present: ['web:1'] })
    await harness.begin()
    assert.equal(harness.clock.monotonic(), 0)
    const { metadata, spec, status } = await harness.node()
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
    assert.deepEqual(harness.told, [
      'Normal Starting: Starting kubelet.',
      'Normal NodeHasSufficientMemory: Node host status is now: NodeHasSufficientMemory',
      'Normal NodeHasNoDiskPressure: Node host status is now: NodeHasNoDiskPressure',
      'Normal NodeHasSufficientPID: Node host status is now: NodeHasSufficientPID',
      'Normal NodeReady: Node host status is now: NodeReady',
    ])
  })

  test('has the configured labels, taints and provider', async () => {
    await using harness = await nodeHarness()
    const taint = { key: 'example.com/special', value: 'yes', effect: 'NoExecute' } as const
    const options = { labels: { 'example.com/x': 'y' }, taints: [taint], providerId: 'proa://1', isSchedulable: false }
    await harness.begin({ options })
    const { metadata, spec } = await harness.node()
    assert.equal(metadata.labels?.['example.com/x'], 'y')
    assert.equal(spec.providerID, 'proa://1')
    assert.equal(spec.unschedulable, true)
    const keys = spec.taints?.map(({ key }) => key) ?? []
    assert.ok(keys.includes('example.com/special') && keys.includes('node.kubernetes.io/unschedulable'))
  })

  test('adopts an existing Node and keeps changes of other writers', async () => {
    await using harness = await nodeHarness()
    await harness.admin.resource(Node).create({
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
    await harness.begin()
    const { metadata, status } = await harness.node()
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
    assert.match(await harness.condition('Ready'), /^True KubeletReady/)
    assert.ok(harness.told.some((line) => line.startsWith('Warning Rebooted: Node host has been rebooted, boot id: ')))
  })

  test('that does not register adopts the Node that a user creates', async () => {
    await using harness = await nodeHarness()
    await harness.admin.resource(Node).create({ metadata: { name: 'host' } })
    const agent = await harness.start({ options: { isRegistered: false } })
    await harness.clock.settle()
    assert.match(await harness.condition('Ready'), /^True/)
    assert.equal((await agent.registered).metadata.name, 'host')
  })
})

describe('a Node', () => {
  test('is reported every five minutes, and changes within seconds', async () => {
    await using harness = await nodeHarness()
    await harness.begin()
    const first = (await harness.node()).metadata.resourceVersion
    await harness.clock.advance('4m30s')
    assert.equal((await harness.node()).metadata.resourceVersion, first)
    await harness.clock.advance('45s')
    const second = await harness.node()
    assert.notEqual(second.metadata.resourceVersion, first)
    const [memory] = second.status.conditions ?? []
    assert.notEqual(memory?.lastHeartbeatTime, memory?.lastTransitionTime)
    await harness.runtime.pullImage({ image: { image: 'web:2' } })
    await harness.clock.advance('41s')
    assert.equal((await harness.node()).status.images?.length, 1)
  })

  test('is not ready while its network is not, and ready again after the next check', async () => {
    await using harness = await nodeHarness()
    const message = 'Network plugin returns error: cni plugin not initialized'
    harness.mood.network = { status: false, reason: 'NetworkPluginNotReady', message }
    const agent = await harness.begin()
    assert.equal(
      await harness.condition('Ready'),
      `False KubeletNotReady: container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:${message}`,
    )
    assert.equal(agent.health.networkProblem?.startsWith('container runtime network not ready'), true)
    harness.mood.network = { status: true }
    await harness.clock.advance(100)
    assert.match(await harness.condition('Ready'), /^True/)
    harness.mood.network = { status: false }
    await harness.clock.advance('5s')
    assert.match(await harness.condition('Ready'), /^False/)
    const ready = harness.told.flatMap((line) => /Node(?:Not)?Ready$/.exec(line) ?? [])
    assert.deepEqual(ready, ['NodeReady', 'NodeNotReady'])
  })

  test('reports its runtime as down after half a minute', async () => {
    await using harness = await nodeHarness()
    await harness.begin()
    harness.mood.isDown = true
    await harness.clock.advance('29s')
    assert.match(await harness.condition('Ready'), /^True/)
    await harness.clock.advance('6s')
    assert.equal(await harness.condition('Ready'), 'False KubeletNotReady: container runtime is down')
    harness.mood.isDown = false
    await harness.clock.advance('5s')
    assert.match(await harness.condition('Ready'), /^True/)
  })

  test('reports that its runtime was never seen', async () => {
    await using harness = await nodeHarness()
    harness.mood.isDown = true
    const agent = await harness.start()
    await harness.clock.advance('1s')
    await agent.registered
    assert.equal(
      await harness.condition('Ready'),
      'False KubeletNotReady: [container runtime status check may not have completed yet, network state unknown]',
    )
  })

  test('has events when it becomes unschedulable and schedulable', async () => {
    await using harness = await nodeHarness()
    await harness.begin()
    harness.told.length = 0
    for (const unschedulable of [true, false]) {
      await harness.admin.resource(Node).patch('host', 'merge', { spec: { unschedulable } })
      await harness.clock.settle()
    }
    assert.deepEqual(harness.told, [
      'Normal NodeNotSchedulable: Node host status is now: NodeNotSchedulable',
      'Normal NodeSchedulable: Node host status is now: NodeSchedulable',
    ])
  })

  test('that was deleted is not created again by the running kubelet', async () => {
    await using harness = await nodeHarness()
    const agent = await harness.begin()
    await harness.admin.resource(Node).delete('host')
    await harness.clock.advance('1m')
    assert.equal(agent.node(), undefined)
    await assert.rejects(harness.node(), { reason: 'NotFound' })
  })

  test('is under pressure when its disk is full, and for five minutes after', async () => {
    await using harness = await nodeHarness()
    const host = simulatedHost()
    const full = { capacity: 100, available: 9, inodes: 0, inodesFree: 0 }
    let isFull = false
    const measure: typeof host.measure = async (path) => (isFull ? full : host.measure(path))
    await harness.begin({ host: { ...host, measure } })
    isFull = true
    await harness.clock.advance('11s')
    assert.equal(await harness.condition('DiskPressure'), 'True KubeletHasDiskPressure: kubelet has disk pressure')
    isFull = false
    await harness.clock.advance('4m45s')
    assert.match(await harness.condition('DiskPressure'), /^True/)
    await harness.clock.advance('30s')
    assert.match(await harness.condition('DiskPressure'), /^False/)
    assert.ok(harness.told.some((line) => line.includes('NodeHasDiskPressure')))
  })
})

describe('the lease of a node', () => {
  const leaseOf = async (harness: Awaited<ReturnType<typeof nodeHarness>>) =>
    harness.admin.resource(Lease).in('kube-node-lease').get('host')

  test('is renewed every ten seconds, and deleted with the node', async () => {
    await using harness = await nodeHarness()
    const agent = await harness.begin()
    const { metadata } = await agent.registered
    const first = await leaseOf(harness)
    assert.deepEqual(first.metadata.ownerReferences, [
      { apiVersion: 'v1', kind: 'Node', name: 'host', uid: metadata.uid },
    ])
    assert.equal(first.spec.holderIdentity, 'host')
    assert.equal(first.spec.leaseDurationSeconds, 40)
    await harness.clock.advance('10.5s')
    const second = await leaseOf(harness)
    assert.ok(Date.parse(second.spec.renewTime!) - Date.parse(first.spec.renewTime!) >= 10_000)
  })

  test('is renewed after other writers changed or deleted it', async () => {
    await using harness = await nodeHarness()
    await harness.begin()
    await harness.admin
      .resource(Lease)
      .in('kube-node-lease')
      .patch('host', 'merge', { metadata: { labels: { a: 'b' } } })
    const before = await leaseOf(harness)
    await harness.clock.advance('11s')
    const after = await leaseOf(harness)
    assert.notEqual(after.spec.renewTime, before.spec.renewTime)
    assert.equal(after.metadata.labels?.a, 'b')
    await harness.admin.resource(Lease).in('kube-node-lease').delete('host')
    await harness.clock.advance('12s')
    assert.equal((await leaseOf(harness)).spec.holderIdentity, 'host')
  })
})
