import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import { ConnectionLostError } from '../../client/transport.js'
import { StatusWorld, toldStatus } from './pod-status-manager.test.kit.js'

const patch = 'PATCH pods/p/status'

test('a status is written once, and never again while nothing changes', async () => {
  await using world = await StatusWorld.begin()
  const pod = await world.add()
  world.manager.set(pod, toldStatus('Running'))
  await world.clock.advance('1s')
  const written = await world.pod()
  assert.equal(written.status.phase, 'Running')
  world.manager.set(written, toldStatus('Running'))
  world.manager.set(pod, toldStatus('Running'))
  await world.clock.advance('1m')
  assert.deepEqual(world.requests, [patch])
  assert.deepEqual(world.manager.get(pod.metadata.uid!), toldStatus('Running'))
})

test('it says what it told, and how long that took', async () => {
  await using world = await StatusWorld.begin()
  const steps: string[] = []
  world.environment.tracer.subscribe(({ component, stage, decision, reason = '', took }) => {
    if (component === 'kubelet') steps.push(`${stage}: ${decision} ${reason} ${took}`)
  })
  const pod = await world.add()
  world.manager.set(pod, toldStatus('Pending'))
  await world.clock.advance('1s')
  world.manager.set(pod, toldStatus('Running'))
  await world.clock.advance('1s')
  assert.deepEqual(steps, ['status: Pending c: ContainerCreating 100', 'status: Running, ready  0'])
  assert.match(await world.environment.metrics.text(), /^kubelet_pod_status_sync_duration_seconds_count 2$/m)
})

test('changes that nobody waits for are told together, and readiness is told at once', async () => {
  await using world = await StatusWorld.begin()
  const pod = await world.add()
  const waiting = (reason: string) => ({
    containerStatuses: [{ ...toldStatus('Pending').containerStatuses![0]!, state: { waiting: { reason } } }],
  })
  for (const reason of ['ContainerCreating', 'ErrImagePull', 'ImagePullBackOff']) {
    world.manager.set(pod, toldStatus('Pending', waiting(reason)))
    await world.clock.advance(30)
  }
  assert.deepEqual(world.requests, [])
  await world.clock.advance(10)
  assert.deepEqual(world.requests, [patch])
  world.manager.set(pod, toldStatus('Pending'))
  world.manager.set(pod, toldStatus('Running'))
  await world.clock.advance(0)
  assert.equal((await world.pod()).status.phase, 'Running')
  await world.clock.advance('1s')
  assert.deepEqual(world.requests, [patch, patch])
})

test('the patch is for the very pod, and says nothing that the server has already', async () => {
  await using world = await StatusWorld.begin()
  const pod = await world.add()
  world.manager.set(pod, toldStatus('Running'))
  await world.clock.advance('1s')
  const { uid, resourceVersion } = (await world.pod()).metadata
  world.manager.set(pod, toldStatus('Running', { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] }))
  await world.clock.advance('1s')
  assert.deepEqual(world.bodies[1], {
    metadata: { uid, resourceVersion },
    status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] },
  })
})

test('what others wrote stays, also when it was not heard of', async () => {
  await using world = await StatusWorld.begin()
  const pod = await world.add()
  await world.patchStatus({ conditions: [{ type: 'example.com/gate', status: 'True' }], nominatedNodeName: null })
  world.manager.set(pod, toldStatus('Running'))
  await world.clock.advance('1s')
  const { conditions } = (await world.pod()).status
  assert.deepEqual(
    conditions?.map(({ type }) => type),
    ['example.com/gate', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'],
  )
  assert.deepEqual(world.requests, [patch, 'GET pods/p', patch])
})

test('what others did to what is the kubelet’s own is put right at the next look', async () => {
  await using world = await StatusWorld.begin()
  const pod = await world.add()
  world.manager.set(pod, toldStatus('Running'))
  await world.clock.advance('1s')
  const spoilt = await world.patchStatus({ conditions: [{ type: 'Ready', status: 'False' }] })
  world.heard.set(pod.metadata.uid!, spoilt)
  world.manager.set(spoilt, toldStatus('Running'))
  await world.clock.advance('1s')
  const ready = (await world.pod()).status.conditions?.find(({ type }) => type === 'Ready')
  assert.equal(ready?.status, 'True')
})

test('a pod that others have ended stays ended, and is not ready', async () => {
  await using world = await StatusWorld.begin()
  const pod = await world.add()
  await world.patchStatus({ phase: 'Failed', reason: 'Evicted', message: 'why' })
  world.manager.set(pod, toldStatus('Running'))
  await world.clock.advance('1s')
  const { phase, reason, message, conditions } = (await world.pod()).status
  assert.deepEqual({ phase, reason, message }, { phase: 'Failed', reason: 'Evicted', message: 'why' })
  assert.deepEqual(conditions?.find(({ type }) => type === 'Ready')?.reason, 'PodFailed')
})

test('a container that has ended for good does not come back', async () => {
  await using world = await StatusWorld.begin()
  const pod = await world.add('p', { restartPolicy: 'Never' })
  world.manager.set(pod, toldStatus('Succeeded'))
  await world.clock.advance('1s')
  world.manager.set(pod, toldStatus('Running'))
  await world.clock.advance('1s')
  assert.equal((await world.pod()).status.containerStatuses?.[0]?.state?.terminated?.exitCode, 0)
})

test('a pod of which nothing is left is deleted for good after its last status, if it is to go', async () => {
  await using world = await StatusWorld.begin()
  const pod = await world.add()
  world.manager.set(pod, toldStatus('Running'))
  await world.clock.advance('1s')
  await world.delete()
  const deleted = await world.pod()
  world.manager.set(deleted, toldStatus('Succeeded'))
  world.manager.finish(deleted)
  await world.clock.advance('1s')
  assert.deepEqual(await world.names(), [])
  assert.deepEqual(world.requests.slice(-2), [patch, 'DELETE pods/p'])
  const { gracePeriodSeconds, preconditions } = world.bodies.at(-1) as Record<string, unknown>
  assert.deepEqual(
    { gracePeriodSeconds, preconditions },
    { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } },
  )
})

test('one that is to stay is not deleted', async () => {
  await using world = await StatusWorld.begin()
  const pod = await world.add('p', { restartPolicy: 'Never' })
  world.manager.set(pod, toldStatus('Succeeded'))
  world.manager.finish(pod)
  await world.clock.advance('1s')
  assert.deepEqual(await world.names(), ['p'])
  assert.deepEqual(world.requests, [patch])
})

test('one that ended and is to go after all is deleted when that is said', async () => {
  await using world = await StatusWorld.begin()
  const pod = await world.add()
  world.manager.set(pod, toldStatus('Failed'))
  world.faultOf = ({ method }) => (method === 'PATCH' ? { answerDelay: 2_000 } : {})
  world.manager.finish(pod)
  await world.delete()
  world.manager.finish(await world.pod())
  await world.clock.advance('1m')
  assert.deepEqual(await world.names(), [])
})

test('a finalizer holds the object, and it is told to go only once', async () => {
  await using world = await StatusWorld.begin()
  await world.add('p', {}, { finalizers: ['example.com/hold'] })
  await world.delete()
  const deleted = await world.pod()
  for (let i = 0; i < 3; i++) {
    world.manager.finish(deleted)
    await world.clock.advance('1s')
  }
  assert.equal((await world.pod()).metadata.deletionGracePeriodSeconds, 0)
  assert.deepEqual(world.requests, [patch, 'DELETE pods/p'])
})

test('a kubelet that knows nothing of a pod that is to go takes its containers for lost', async () => {
  await using world = await StatusWorld.begin()
  await world.add('p', {}, { finalizers: ['example.com/hold'] })
  await world.patchStatus(toldStatus('Running'))
  await world.delete()
  world.manager.finish(await world.pod())
  await world.clock.advance('1s')
  const { phase, containerStatuses, conditions } = (await world.pod()).status
  assert.equal(phase, 'Failed')
  assert.deepEqual(containerStatuses?.[0]?.state?.terminated?.reason, 'ContainerStatusUnknown')
  assert.equal(conditions?.find(({ type }) => type === 'Ready')?.status, 'False')
})

test('another pod of the same name is left alone', async () => {
  await using world = await StatusWorld.begin()
  const pod = await world.add()
  await world.delete()
  world.manager.finish(await world.pod())
  await world.clock.advance('1s')
  assert.deepEqual(await world.names(), [])
  const other = await world.add()
  world.manager.set(pod, toldStatus('Failed'))
  world.manager.finish({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } } as Pod)
  await world.clock.advance('1s')
  assert.equal((await world.pod()).status.phase, 'Pending')
  assert.equal((await world.pod()).metadata.uid, other.metadata.uid)
})

test('nothing is written of a pod in whose place another one was heard of', async () => {
  await using world = await StatusWorld.begin()
  const pod = await world.add()
  world.heard.set(pod.metadata.uid!, { ...pod, metadata: { ...pod.metadata, uid: 'another' } } as Pod)
  world.manager.set(pod, toldStatus('Running'))
  await world.clock.advance('1s')
  assert.equal(world.requests.length, 0)
})

test('a mirror may be given in place of its static pod', async () => {
  await using world = await StatusWorld.begin()
  const annotations = { 'kubernetes.io/config.mirror': 'x', 'kubernetes.io/config.source': 'file' }
  world.manager.set(await world.add('p', {}, { annotations }), toldStatus('Running'))
  await world.clock.advance('1s')
  assert.equal((await world.pod()).status.phase, 'Running')
})

test('a static pod reports to its mirror, as soon as there is one, and does not delete it', async () => {
  await using world = await StatusWorld.begin()
  const annotations = { 'kubernetes.io/config.source': 'file' }
  const pod = { metadata: { name: 'p', namespace: 'default', uid: 'static', annotations }, spec: { containers: [] } }
  const asStatic = pod as unknown as Pod
  world.manager.set(asStatic, toldStatus('Running'))
  await world.clock.advance('1s')
  assert.equal(world.requests.length, 0)
  const mirror = await world.add('p', {}, { annotations: { 'kubernetes.io/config.mirror': 'x', ...annotations } })
  world.heard.set('static', mirror)
  world.manager.set(asStatic, toldStatus('Running'))
  await world.clock.advance('1s')
  assert.equal((await world.pod()).status.phase, 'Running')
  world.manager.finish(asStatic)
  await world.clock.advance('1s')
  assert.deepEqual(
    world.requests.filter((request) => request.startsWith('DELETE')),
    [],
  )
})

for (const [how, fault] of [
  ['refuses', { refused: new Error('connect ECONNREFUSED') }],
  ['says nothing, having heard nothing', { hangs: 'before' }],
  ['says nothing, having done it', { hangs: 'after' }],
  ['breaks the connection, having done it', { answerLost: new ConnectionLostError('socket hang up') }],
] as const)
  test(`it tries again until it is done: a server ${how}`, async () => {
    await using world = await StatusWorld.begin()
    const pod = await world.add()
    let faults = 3
    world.faultOf = () => (faults-- > 0 ? fault : {})
    world.manager.set(pod, toldStatus('Running'))
    await world.clock.advance('2m')
    const { status, metadata } = await world.pod()
    assert.equal(status.phase, 'Running')
    world.manager.set(await world.pod(), toldStatus('Running'))
    await world.clock.advance('1m')
    assert.equal((await world.pod()).metadata.resourceVersion, metadata.resourceVersion)
  })

test('a request that was given up, and is carried out late, does not bring an old status back', async () => {
  await using world = await StatusWorld.begin()
  const pod = await world.add()
  let isFirst = true
  world.latenessOf = () => {
    const lateness = isFirst ? 60_000 : 0
    isFirst = false
    return lateness
  }
  world.manager.set(pod, toldStatus('Pending', { message: 'old' }))
  await world.clock.advance('1s')
  world.manager.set(pod, toldStatus('Running', { message: 'new' }))
  await world.clock.advance('2m')
  const { phase, message } = (await world.pod()).status
  assert.deepEqual([phase, message], ['Running', 'new'])
})
