import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sleep } from '../base/clock.js'
import { behaviour, KubeletTrial, main } from './kubelet.test.kit.js'

const preStop = { exec: { command: ['true'] } }

test('the preStop hook takes its time from the grace period, and two seconds are left in any case', async () => {
  await using trial = await KubeletTrial.begin()
  trial.hooks.play = ({ signal }) => sleep(trial.clock, 60_000, signal)
  trial.start()
  const spec = { terminationGracePeriodSeconds: 10, containers: [main({ lifecycle: { preStop } })] }
  await trial.create('p', spec, behaviour({ web: { stop: 'ignore' } }))
  await trial.clock.advance('2s')
  await trial.delete('p')
  await trial.clock.advance('11s')
  assert.deepEqual(await trial.containers(), ['web:RUNNING:0'])
  await trial.clock.advance('2s')
  assert.deepEqual(await trial.everything(), [])
})

test('a failing preStop hook is told, and the container stopped as usual', async () => {
  await using trial = await KubeletTrial.begin()
  trial.hooks.play = () => Promise.reject(new Error('no'))
  trial.start()
  await trial.create('p', { containers: [main({ lifecycle: { preStop } })] })
  await trial.clock.advance('2s')
  await trial.delete('p')
  await trial.clock.advance('2s')
  assert.deepEqual(await trial.everything(), [])
  assert.ok(trial.events.told.includes('p spec.containers{web} FailedPreStopHook: PreStopHook failed'))
})

test('a container whose postStart hook fails is stopped, and the pod fails with it', async () => {
  await using trial = await KubeletTrial.begin()
  trial.hooks.play = () => Promise.reject(new Error('no'))
  trial.start()
  const spec = { restartPolicy: 'Never' as const, containers: [main({ lifecycle: { postStart: preStop } })] }
  await trial.create('p', spec, behaviour({ web: { stop: { exitCode: 0 } } }))
  await trial.clock.advance('5s')
  assert.deepEqual(trial.events.told, [
    'p spec.containers{web} Created: Container created',
    'p spec.containers{web} Started: Container started',
    'p spec.containers{web} FailedPostStartHook: PostStartHook failed',
    'p spec.containers{web} Killing: FailedPostStartHook',
  ])
  assert.equal((await trial.get('p'))?.status.phase, 'Succeeded')
})

test('a second deletion with less grace makes it end sooner, without its hook running again', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  const spec = { terminationGracePeriodSeconds: 600, containers: [main({ lifecycle: { preStop } })] }
  await trial.create('p', spec, behaviour({ web: { stop: 'ignore' } }))
  await trial.clock.advance('2s')
  await trial.delete('p')
  await trial.clock.advance('10s')
  await trial.delete('p', 3)
  await trial.clock.advance('2s')
  assert.deepEqual(await trial.containers(), ['web:RUNNING:0'])
  await trial.clock.advance('2s')
  assert.deepEqual(await trial.everything(), [])
  assert.deepEqual(trial.hooks.ran, ['web'])
  assert.equal(trial.events.told.filter((event) => event.includes('Killing')).length, 1)
})

test('one that is deleted without grace is gone at once, and still ends as it wanted to', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  await trial.create('p', {}, behaviour({ web: { stop: { after: '3s' } } }))
  await trial.clock.advance('2s')
  await trial.delete('p', 0)
  assert.equal(await trial.get('p'), undefined)
  await trial.clock.advance('2s')
  assert.deepEqual(await trial.containers(), ['web:RUNNING:0'])
  await trial.clock.advance('2s')
  assert.deepEqual(await trial.everything(), [])
})

test('a pod that is deleted while it starts does not go on starting', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  const containers = [main({ name: 'slow' }), main({ name: 'never' })]
  await trial.create('p', { containers }, behaviour({ slow: { startDelay: '30s' } }))
  await trial.clock.advance('2s')
  await trial.delete('p')
  await trial.clock.advance('1m')
  assert.equal(await trial.get('p'), undefined)
  assert.deepEqual(await trial.everything(), [])
  assert.ok(!trial.events.told.some((event) => event.includes('{never}')))
})

test('a pod that is deleted while its image is pulled does not wait for it', async () => {
  await using trial = await KubeletTrial.begin({
    dependencies: {
      images: {
        ensure: ({ signal }) => sleep(trial.clock, 3_600_000, signal).then(() => ({ ref: 'x', uid: 0, username: '' })),
      },
    },
  })
  trial.start()
  await trial.create('p', {})
  await trial.clock.advance('2s')
  await trial.delete('p')
  await trial.clock.advance('5s')
  assert.equal(await trial.get('p'), undefined)
  assert.deepEqual(await trial.everything(), [])
})

test('a pod whose time is up is ended', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  await trial.create('p', { activeDeadlineSeconds: 7 })
  await trial.clock.advance('6s')
  assert.equal((await trial.get('p'))?.status.phase, 'Running')
  await trial.clock.advance('4s')
  const { status } = (await trial.get('p'))!
  assert.equal(status.phase, 'Failed')
  assert.equal(status.reason, 'DeadlineExceeded')
  assert.equal(status.message, 'Pod was active on the node longer than the specified deadline')
  assert.ok(trial.events.told.some((event) => event.startsWith('p DeadlineExceeded: Pod was active')))
  assert.deepEqual(await trial.containers(), ['web:EXITED:0'])
})

test('a pod that this node refuses never begins', async () => {
  const failure = {
    phase: 'Failed',
    reason: 'OutOfcpu',
    message: 'Node did not have enough',
    isRejection: true,
  } as const
  const asked: (readonly string[])[] = []
  await using trial = await KubeletTrial.begin({
    dependencies: {
      admit: ({ metadata }, others) => {
        asked.push(others.map((other) => other.metadata.name!))
        return metadata.name === 'big' ? failure : undefined
      },
    },
  })
  trial.start()
  for (const name of ['small', 'big', 'other']) await trial.create(name, {})
  await trial.clock.advance('3s')
  assert.deepEqual(asked, [[], ['small'], ['small']])
  const { status } = (await trial.get('big'))!
  assert.deepEqual([status.phase, status.reason], ['Failed', 'OutOfcpu'])
  assert.deepEqual(await trial.sandboxes(), ['small:READY:0', 'other:READY:0'])
  assert.ok(trial.events.told.includes('big OutOfcpu: Node did not have enough'))
})

test('a pod whose volumes are missing waits for them', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  trial.things.badVolumes.set('p', 'MountVolume.SetUp failed for volume "v" : configmap "nope" not found')
  await trial.create('p', {})
  await trial.clock.advance('3s')
  assert.deepEqual(await trial.everything(), [])
  assert.equal((await trial.get('p'))?.status.containerStatuses?.[0]?.state?.waiting?.reason, 'ContainerCreating')
  assert.match(
    trial.events.told[0]!,
    /^p FailedMount: MountVolume.SetUp failed for volume "v" : configmap "nope" not found/,
  )
  trial.things.badVolumes.clear()
  await trial.clock.advance('4s')
  assert.deepEqual(await trial.containers(), ['web:RUNNING:0'])
})

test('a sandbox that cannot be made is told, and tried again', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  const annotations = { 'simulation.proa.dev': JSON.stringify({ error: 'no network', failures: 2 }) }
  await trial.create('p', {}, annotations)
  await trial.clock.advance('1m')
  assert.deepEqual(await trial.containers(), ['web:RUNNING:0'])
  const failures = trial.events.told.filter((event) => event.includes('FailedCreatePodSandBox'))
  const text = 'p FailedCreatePodSandBox: Failed to create pod sandbox: rpc error: code = Unknown desc = no network'
  assert.deepEqual(failures, [text, text])
})

test('a container that cannot be made says why', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  await trial.create('p', {}, behaviour({ web: { createError: 'no room' } }))
  await trial.clock.advance('3s')
  const waiting = (await trial.get('p'))?.status.containerStatuses?.[0]?.state?.waiting
  assert.deepEqual(waiting, { reason: 'CreateContainerError', message: 'no room' })
  assert.deepEqual(trial.events.told, ['p spec.containers{web} Failed: Error: no room'])
})
