import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import { ConnectionLostError } from '../../client/transport.js'
import { StatusHarness, toldStatus } from './pod-status-manager.test.kit.js'

const patch = 'PATCH pods/p/status'

test('a status is written once, and not again while nothing changes', async () => {
  await using harness = await StatusHarness.begin()
  const pod = await harness.add()
  harness.manager.set(pod, toldStatus('Running'))
  await harness.clock.advance('1s')
  const written = await harness.pod()
  assert.equal(written.status.phase, 'Running')
  harness.manager.set(written, toldStatus('Running'))
  harness.manager.set(pod, toldStatus('Running'))
  await harness.clock.advance('1m')
  assert.deepEqual(harness.requests, [patch])
  assert.deepEqual(harness.manager.get(pod.metadata.uid!), toldStatus('Running'))
})

test('each write is traced with its duration', async () => {
  await using harness = await StatusHarness.begin()
  const steps: string[] = []
  harness.environment.tracer.subscribe(({ component, stage, decision, reason = '', took }) => {
    if (component === 'kubelet') steps.push(`${stage}: ${decision} ${reason} ${took}`)
  })
  const pod = await harness.add()
  harness.manager.set(pod, toldStatus('Pending'))
  await harness.clock.advance('1s')
  harness.manager.set(pod, toldStatus('Running'))
  await harness.clock.advance('1s')
  assert.deepEqual(steps, ['status: Pending c: ContainerCreating 100', 'status: Running, ready  0'])
  assert.match(await harness.environment.metrics.text(), /^kubelet_pod_status_sync_duration_seconds_count 2$/m)
})

test('changes are batched, and readiness is written at once', async () => {
  await using harness = await StatusHarness.begin()
  const pod = await harness.add()
  const waiting = (reason: string) => ({
    containerStatuses: [{ ...toldStatus('Pending').containerStatuses![0]!, state: { waiting: { reason } } }],
  })
  for (const reason of ['ContainerCreating', 'ErrImagePull', 'ImagePullBackOff']) {
    harness.manager.set(pod, toldStatus('Pending', waiting(reason)))
    await harness.clock.advance(30)
  }
  assert.deepEqual(harness.requests, [])
  await harness.clock.advance(10)
  assert.deepEqual(harness.requests, [patch])
  harness.manager.set(pod, toldStatus('Pending'))
  harness.manager.set(pod, toldStatus('Running'))
  await harness.clock.advance(0)
  assert.equal((await harness.pod()).status.phase, 'Running')
  await harness.clock.advance('1s')
  assert.deepEqual(harness.requests, [patch, patch])
})

test('the patch is for one revision of the pod, and has only differences', async () => {
  await using harness = await StatusHarness.begin()
  const pod = await harness.add()
  harness.manager.set(pod, toldStatus('Running'))
  await harness.clock.advance('1s')
  const { uid, resourceVersion } = (await harness.pod()).metadata
  harness.manager.set(pod, toldStatus('Running', { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] }))
  await harness.clock.advance('1s')
  assert.deepEqual(harness.bodies[1], {
    metadata: { uid, resourceVersion },
    status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] },
  })
})

test('changes of other writers stay, also unseen ones', async () => {
  await using harness = await StatusHarness.begin()
  const pod = await harness.add()
  await harness.patchStatus({ conditions: [{ type: 'example.com/gate', status: 'True' }], nominatedNodeName: null })
  harness.manager.set(pod, toldStatus('Running'))
  await harness.clock.advance('1s')
  const { conditions } = (await harness.pod()).status
  assert.deepEqual(
    conditions?.map(({ type }) => type),
    ['example.com/gate', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'],
  )
  assert.deepEqual(harness.requests, [patch, 'GET pods/p', patch])
})

test('changes of other writers to the kubelet’s fields are corrected with the next sync', async () => {
  await using harness = await StatusHarness.begin()
  const pod = await harness.add()
  harness.manager.set(pod, toldStatus('Running'))
  await harness.clock.advance('1s')
  const spoilt = await harness.patchStatus({ conditions: [{ type: 'Ready', status: 'False' }] })
  harness.heard.set(pod.metadata.uid!, spoilt)
  harness.manager.set(spoilt, toldStatus('Running'))
  await harness.clock.advance('1s')
  const ready = (await harness.pod()).status.conditions?.find(({ type }) => type === 'Ready')
  assert.equal(ready?.status, 'True')
})

test('a pod that another component has failed stays failed, and is not ready', async () => {
  await using harness = await StatusHarness.begin()
  const pod = await harness.add()
  await harness.patchStatus({ phase: 'Failed', reason: 'Evicted', message: 'why' })
  harness.manager.set(pod, toldStatus('Running'))
  await harness.clock.advance('1s')
  const { phase, reason, message, conditions } = (await harness.pod()).status
  assert.deepEqual({ phase, reason, message }, { phase: 'Failed', reason: 'Evicted', message: 'why' })
  assert.deepEqual(conditions?.find(({ type }) => type === 'Ready')?.reason, 'PodFailed')
})

test('a finally exited container does not come back', async () => {
  await using harness = await StatusHarness.begin()
  const pod = await harness.add('p', { restartPolicy: 'Never' })
  harness.manager.set(pod, toldStatus('Succeeded'))
  await harness.clock.advance('1s')
  harness.manager.set(pod, toldStatus('Running'))
  await harness.clock.advance('1s')
  assert.equal((await harness.pod()).status.containerStatuses?.[0]?.state?.terminated?.exitCode, 0)
})

test('a terminated pod that is being deleted is deleted after its last status', async () => {
  await using harness = await StatusHarness.begin()
  const pod = await harness.add()
  harness.manager.set(pod, toldStatus('Running'))
  await harness.clock.advance('1s')
  await harness.delete()
  const deleted = await harness.pod()
  harness.manager.set(deleted, toldStatus('Succeeded'))
  harness.manager.finish(deleted)
  await harness.clock.advance('1s')
  assert.deepEqual(await harness.names(), [])
  assert.deepEqual(harness.requests.slice(-2), [patch, 'DELETE pods/p'])
  const { gracePeriodSeconds, preconditions } = harness.bodies.at(-1) as Record<string, unknown>
  assert.deepEqual(
    { gracePeriodSeconds, preconditions },
    { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } },
  )
})

test('a terminated pod that is not being deleted stays', async () => {
  await using harness = await StatusHarness.begin()
  const pod = await harness.add('p', { restartPolicy: 'Never' })
  harness.manager.set(pod, toldStatus('Succeeded'))
  harness.manager.finish(pod)
  await harness.clock.advance('1s')
  assert.deepEqual(await harness.names(), ['p'])
  assert.deepEqual(harness.requests, [patch])
})

test('a terminated pod that is deleted later is deleted then', async () => {
  await using harness = await StatusHarness.begin()
  const pod = await harness.add()
  harness.manager.set(pod, toldStatus('Failed'))
  harness.faultOf = ({ method }) => (method === 'PATCH' ? { responseDelay: 2_000 } : {})
  harness.manager.finish(pod)
  await harness.delete()
  harness.manager.finish(await harness.pod())
  await harness.clock.advance('1m')
  assert.deepEqual(await harness.names(), [])
})

test('a finalizer keeps the object, and it is deleted only once', async () => {
  await using harness = await StatusHarness.begin()
  await harness.add('p', {}, { finalizers: ['example.com/hold'] })
  await harness.delete()
  const deleted = await harness.pod()
  for (let i = 0; i < 3; i++) {
    harness.manager.finish(deleted)
    await harness.clock.advance('1s')
  }
  assert.equal((await harness.pod()).metadata.deletionGracePeriodSeconds, 0)
  assert.deepEqual(harness.requests, [patch, 'DELETE pods/p'])
})

test('containers of a deleted pod without an observation count as lost', async () => {
  await using harness = await StatusHarness.begin()
  await harness.add('p', {}, { finalizers: ['example.com/hold'] })
  await harness.patchStatus(toldStatus('Running'))
  await harness.delete()
  harness.manager.finish(await harness.pod())
  await harness.clock.advance('1s')
  const { phase, containerStatuses, conditions } = (await harness.pod()).status
  assert.equal(phase, 'Failed')
  assert.deepEqual(containerStatuses?.[0]?.state?.terminated?.reason, 'ContainerStatusUnknown')
  assert.equal(conditions?.find(({ type }) => type === 'Ready')?.status, 'False')
})

test('another pod of the same name is left alone', async () => {
  await using harness = await StatusHarness.begin()
  const pod = await harness.add()
  await harness.delete()
  harness.manager.finish(await harness.pod())
  await harness.clock.advance('1s')
  assert.deepEqual(await harness.names(), [])
  const other = await harness.add()
  harness.manager.set(pod, toldStatus('Failed'))
  harness.manager.finish({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } } as Pod)
  await harness.clock.advance('1s')
  assert.equal((await harness.pod()).status.phase, 'Pending')
  assert.equal((await harness.pod()).metadata.uid, other.metadata.uid)
})

test('nothing is written to a pod that another one has replaced', async () => {
  await using harness = await StatusHarness.begin()
  const pod = await harness.add()
  harness.heard.set(pod.metadata.uid!, { ...pod, metadata: { ...pod.metadata, uid: 'another' } } as Pod)
  harness.manager.set(pod, toldStatus('Running'))
  await harness.clock.advance('1s')
  assert.equal(harness.requests.length, 0)
})

test('a mirror pod may be passed in place of its static pod', async () => {
  await using harness = await StatusHarness.begin()
  const annotations = { 'kubernetes.io/config.mirror': 'x', 'kubernetes.io/config.source': 'file' }
  harness.manager.set(await harness.add('p', {}, { annotations }), toldStatus('Running'))
  await harness.clock.advance('1s')
  assert.equal((await harness.pod()).status.phase, 'Running')
})

test('a static pod reports to its mirror pod as soon as it exists, and does not delete it', async () => {
  await using harness = await StatusHarness.begin()
  const annotations = { 'kubernetes.io/config.source': 'file' }
  const pod = { metadata: { name: 'p', namespace: 'default', uid: 'static', annotations }, spec: { containers: [] } }
  const asStatic = pod as unknown as Pod
  harness.manager.set(asStatic, toldStatus('Running'))
  await harness.clock.advance('1s')
  assert.equal(harness.requests.length, 0)
  const mirror = await harness.add('p', {}, { annotations: { 'kubernetes.io/config.mirror': 'x', ...annotations } })
  harness.heard.set('static', mirror)
  harness.manager.set(asStatic, toldStatus('Running'))
  await harness.clock.advance('1s')
  assert.equal((await harness.pod()).status.phase, 'Running')
  harness.manager.finish(asStatic)
  await harness.clock.advance('1s')
  assert.deepEqual(
    harness.requests.filter((request) => request.startsWith('DELETE')),
    [],
  )
})

for (const [how, fault] of [
  ['refuses', { refused: new Error('connect ECONNREFUSED') }],
  ['says nothing, having heard nothing', { hangs: 'before' }],
  ['says nothing, having done it', { hangs: 'after' }],
  ['breaks the connection, having done it', { answerLost: new ConnectionLostError('socket hang up') }],
] as const)
  test(`it retries until it succeeds: a server ${how}`, async () => {
    await using harness = await StatusHarness.begin()
    const pod = await harness.add()
    let faults = 3
    harness.faultOf = () => (faults-- > 0 ? fault : {})
    harness.manager.set(pod, toldStatus('Running'))
    await harness.clock.advance('2m')
    const { status, metadata } = await harness.pod()
    assert.equal(status.phase, 'Running')
    harness.manager.set(await harness.pod(), toldStatus('Running'))
    await harness.clock.advance('1m')
    assert.equal((await harness.pod()).metadata.resourceVersion, metadata.resourceVersion)
  })

test('an aborted request that arrives late does not restore an old status', async () => {
  await using harness = await StatusHarness.begin()
  const pod = await harness.add()
  let isFirst = true
  harness.latenessOf = () => {
    const lateness = isFirst ? 60_000 : 0
    isFirst = false
    return lateness
  }
  harness.manager.set(pod, toldStatus('Pending', { message: 'old' }))
  await harness.clock.advance('1s')
  harness.manager.set(pod, toldStatus('Running', { message: 'new' }))
  await harness.clock.advance('2m')
  const { phase, message } = (await harness.pod()).status
  assert.deepEqual([phase, message], ['Running', 'new'])
})
