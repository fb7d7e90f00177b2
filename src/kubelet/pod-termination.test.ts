import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sleep } from '../base/clock.js'
import { behaviour, KubeletHarness, main } from './kubelet.test.kit.js'

const preStop = { exec: { command: ['true'] } }

test('the preStop hook uses up the grace period, but leaves two seconds', async () => {
  await using harness = await KubeletHarness.begin()
  harness.hooks.play = ({ signal }) => sleep(harness.clock, 60_000, signal)
  harness.start()
  const spec = { terminationGracePeriodSeconds: 10, containers: [main({ lifecycle: { preStop } })] }
  await harness.create('p', spec, behaviour({ web: { stop: 'ignore' } }))
  await harness.clock.advance('2s')
  await harness.delete('p')
  await harness.clock.advance('11s')
  assert.deepEqual(await harness.containers(), ['web:RUNNING:0'])
  await harness.clock.advance('2s')
  assert.deepEqual(await harness.everything(), [])
})

test('a failed preStop hook is recorded, and the container is stopped as usual', async () => {
  await using harness = await KubeletHarness.begin()
  harness.hooks.play = () => Promise.reject(new Error('no'))
  harness.start()
  await harness.create('p', { containers: [main({ lifecycle: { preStop } })] })
  await harness.clock.advance('2s')
  await harness.delete('p')
  await harness.clock.advance('2s')
  assert.deepEqual(await harness.everything(), [])
  assert.ok(harness.events.told.includes('p spec.containers{web} FailedPreStopHook: PreStopHook failed'))
})

test('a container whose postStart hook fails is stopped, and the pod fails', async () => {
  await using harness = await KubeletHarness.begin()
  harness.hooks.play = () => Promise.reject(new Error('no'))
  harness.start()
  const spec = { restartPolicy: 'Never' as const, containers: [main({ lifecycle: { postStart: preStop } })] }
  await harness.create('p', spec, behaviour({ web: { stop: { exitCode: 0 } } }))
  await harness.clock.advance('5s')
  assert.deepEqual(harness.events.told, [
    'p spec.containers{web} Created: Container created',
    'p spec.containers{web} Started: Container started',
    'p spec.containers{web} FailedPostStartHook: PostStartHook failed',
    'p spec.containers{web} Killing: FailedPostStartHook',
  ])
  assert.equal((await harness.get('p'))?.status.phase, 'Succeeded')
})

test('a second deletion with a shorter grace period shortens it, without running the hook again', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  const spec = { terminationGracePeriodSeconds: 600, containers: [main({ lifecycle: { preStop } })] }
  await harness.create('p', spec, behaviour({ web: { stop: 'ignore' } }))
  await harness.clock.advance('2s')
  await harness.delete('p')
  await harness.clock.advance('10s')
  await harness.delete('p', 3)
  await harness.clock.advance('2s')
  assert.deepEqual(await harness.containers(), ['web:RUNNING:0'])
  await harness.clock.advance('2s')
  assert.deepEqual(await harness.everything(), [])
  assert.deepEqual(harness.hooks.ran, ['web'])
  assert.equal(harness.events.told.filter((event) => event.includes('Killing')).length, 1)
})

test('a pod that is deleted without a grace period disappears at once, and still terminates gracefully', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  await harness.create('p', {}, behaviour({ web: { stop: { after: '3s' } } }))
  await harness.clock.advance('2s')
  await harness.delete('p', 0)
  assert.equal(await harness.get('p'), undefined)
  await harness.clock.advance('2s')
  assert.deepEqual(await harness.containers(), ['web:RUNNING:0'])
  await harness.clock.advance('2s')
  assert.deepEqual(await harness.everything(), [])
})

test('a pod that is deleted while it starts stops starting', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  const containers = [main({ name: 'slow' }), main({ name: 'never' })]
  await harness.create('p', { containers }, behaviour({ slow: { startDelay: '30s' } }))
  await harness.clock.advance('2s')
  await harness.delete('p')
  await harness.clock.advance('1m')
  assert.equal(await harness.get('p'), undefined)
  assert.deepEqual(await harness.everything(), [])
  assert.ok(!harness.events.told.some((event) => event.includes('{never}')))
})

test('a pod that is deleted during an image pull does not wait for it', async () => {
  await using harness = await KubeletHarness.begin({
    dependencies: {
      images: {
        ensure: ({ signal }) =>
          sleep(harness.clock, 3_600_000, signal).then(() => ({ ref: 'x', uid: 0, username: '' })),
      },
    },
  })
  harness.start()
  await harness.create('p', {})
  await harness.clock.advance('2s')
  await harness.delete('p')
  await harness.clock.advance('5s')
  assert.equal(await harness.get('p'), undefined)
  assert.deepEqual(await harness.everything(), [])
})

test('a pod that exceeds its deadline is terminated', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  await harness.create('p', { activeDeadlineSeconds: 7 })
  await harness.clock.advance('6s')
  assert.equal((await harness.get('p'))?.status.phase, 'Running')
  await harness.clock.advance('4s')
  const { status } = (await harness.get('p'))!
  assert.equal(status.phase, 'Failed')
  assert.equal(status.reason, 'DeadlineExceeded')
  assert.equal(status.message, 'Pod was active on the node longer than the specified deadline')
  assert.ok(harness.events.told.some((event) => event.startsWith('p DeadlineExceeded: Pod was active')))
  assert.deepEqual(await harness.containers(), ['web:EXITED:0'])
})

test('a rejected pod never starts', async () => {
  const failure = {
    phase: 'Failed',
    reason: 'OutOfcpu',
    message: 'Node did not have enough',
    isRejection: true,
  } as const
  const asked: (readonly string[])[] = []
  await using harness = await KubeletHarness.begin({
    dependencies: {
      admit: ({ metadata }, others) => {
        asked.push(others.map((other) => other.metadata.name!))
        return metadata.name === 'big' ? failure : undefined
      },
    },
  })
  harness.start()
  for (const name of ['small', 'big', 'other']) await harness.create(name, {})
  await harness.clock.advance('3s')
  assert.deepEqual(asked, [[], ['small'], ['small']])
  const { status } = (await harness.get('big'))!
  assert.deepEqual([status.phase, status.reason], ['Failed', 'OutOfcpu'])
  assert.deepEqual(await harness.sandboxes(), ['small:READY:0', 'other:READY:0'])
  assert.ok(harness.events.told.includes('big OutOfcpu: Node did not have enough'))
})

test('a pod waits for its volumes', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  harness.things.badVolumes.set('p', 'MountVolume.SetUp failed for volume "v" : configmap "nope" not found')
  await harness.create('p', {})
  await harness.clock.advance('3s')
  assert.deepEqual(await harness.everything(), [])
  assert.equal((await harness.get('p'))?.status.containerStatuses?.[0]?.state?.waiting?.reason, 'ContainerCreating')
  assert.match(
    harness.events.told[0]!,
    /^p FailedMount: MountVolume.SetUp failed for volume "v" : configmap "nope" not found/,
  )
  harness.things.badVolumes.clear()
  await harness.clock.advance('4s')
  assert.deepEqual(await harness.containers(), ['web:RUNNING:0'])
})

test('a failed sandbox is recorded and retried', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  const annotations = { 'simulation.proa.dev': JSON.stringify({ error: 'no network', failures: 2 }) }
  await harness.create('p', {}, annotations)
  await harness.clock.advance('1m')
  assert.deepEqual(await harness.containers(), ['web:RUNNING:0'])
  const failures = harness.events.told.filter((event) => event.includes('FailedCreatePodSandBox'))
  const text = 'p FailedCreatePodSandBox: Failed to create pod sandbox: rpc error: code = Unknown desc = no network'
  assert.deepEqual(failures, [text, text])
})

test('a container that cannot be created reports why', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  await harness.create('p', {}, behaviour({ web: { createError: 'no room' } }))
  await harness.clock.advance('3s')
  const waiting = (await harness.get('p'))?.status.containerStatuses?.[0]?.state?.waiting
  assert.deepEqual(waiting, { reason: 'CreateContainerError', message: 'no room' })
  assert.deepEqual(harness.events.told, ['p spec.containers{web} Failed: Error: no room'])
})
