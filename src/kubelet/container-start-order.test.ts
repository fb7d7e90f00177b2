import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pod } from '../api/core/v1/pod.js'
import { behaviour, KubeletTrial, main } from './kubelet.test.kit.js'

function startedIn({ events }: KubeletTrial): readonly string[] {
  return events.told.flatMap((event) => /\{(\w+)\} Started:/.exec(event)?.slice(1) ?? [])
}

test('init containers run one after the other, then the main ones', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  const initContainers = [main({ name: 'i1' }), main({ name: 'i2' })]
  await trial.create('p', { initContainers }, behaviour({ i1: { runFor: '2s' }, i2: { runFor: '2s' } }))
  await trial.clock.advance('1s')
  assert.deepEqual(startedIn(trial), ['i1'])
  await trial.clock.advance('2s')
  assert.deepEqual(startedIn(trial), ['i1', 'i2'])
  await trial.clock.advance('2s')
  assert.deepEqual(startedIn(trial), ['i1', 'i2', 'web'])
  assert.equal((await trial.get('p'))?.status.phase, 'Running')
})

test('an init container that fails ends the pod, if nothing is to be restarted', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  const spec = { restartPolicy: 'Never' as const, initContainers: [main({ name: 'i1' }), main({ name: 'i2' })] }
  await trial.create('p', spec, behaviour({ i1: { runFor: '1s', exitCode: 2 } }))
  await trial.clock.advance('5s')
  assert.deepEqual(startedIn(trial), ['i1'])
  assert.equal((await trial.get('p'))?.status.phase, 'Failed')
})

test('a sidecar only has to be started before the next one is, and outlives the main containers', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  const startupProbe = { exec: { command: ['true'] } }
  const sidecar = (name: string, more = {}) => main({ name, restartPolicy: 'Always', ...more })
  const initContainers = [sidecar('s1', { startupProbe }), main({ name: 'i' }), sidecar('s2')]
  const slow = { stop: { after: '1s' } }
  trial.prober.unknown.add('s1')
  const spec = { restartPolicy: 'Never' as const, initContainers, terminationGracePeriodSeconds: 30 }
  await trial.create('p', spec, behaviour({ s1: slow, s2: slow, i: { runFor: '1s' }, web: { runFor: '5s' } }))
  await trial.clock.advance('3s')
  assert.deepEqual(startedIn(trial), ['s1'])
  trial.prober.unknown.clear()
  trial.kubelet.resync((await trial.get('p'))!.metadata.uid!)
  await trial.clock.advance('3s')
  assert.deepEqual(startedIn(trial), ['s1', 'i', 's2', 'web'])
  await trial.clock.advance('10s')
  const ended = await Promise.all(
    (await trial.settle(trial.runtime.listContainers({}))).containers.map(async ({ id }) => {
      const { status } = await trial.runtime.containerStatus({ containerId: id })
      return { name: status!.metadata!.name, finishedAt: status!.finishedAt }
    }),
  )
  ended.sort((one, other) => Number(one.finishedAt - other.finishedAt))
  assert.deepEqual(
    ended.map(({ name }) => name),
    ['i', 'web', 's2', 's1'],
  )
  assert.equal((await trial.get('p'))?.status.phase, 'Succeeded')
})

test('a sidecar that ends is started again', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  const initContainers = [main({ name: 's', restartPolicy: 'Always' as const })]
  await trial.create('p', { restartPolicy: 'Never', initContainers }, behaviour({ s: [{ runFor: '2s' }, {}] }))
  await trial.clock.advance('10s')
  assert.deepEqual(
    (await trial.containers()).filter((one) => one.includes('RUNNING')),
    ['web:RUNNING:0', 's:RUNNING:1'],
  )
})

test('an ephemeral container is started once', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  await trial.create('p', {}, behaviour({ debug: { runFor: '1s' } }))
  await trial.clock.advance('1s')
  const pods = trial.client.resource(Pod).in('ns')
  const debug = { spec: { ephemeralContainers: [{ name: 'debug', image: 'box:1', targetContainerName: 'web' }] } }
  await trial.settle(pods.subresource('ephemeralcontainers').patch('p', 'strategic', debug))
  await trial.clock.advance('1m')
  assert.deepEqual(await trial.containers(), ['web:RUNNING:0', 'debug:EXITED:0'])
  assert.equal((await trial.get('p'))?.status.phase, 'Running')
})

test('a container whose image changed is made anew', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  await trial.create('p', { restartPolicy: 'Never' })
  await trial.clock.advance('1s')
  const pods = trial.client.resource(Pod).in('ns')
  await trial.settle(pods.patch('p', 'strategic', { spec: { containers: [{ name: 'web', image: 'web:2' }] } }))
  await trial.clock.advance('5s')
  assert.deepEqual(await trial.containers(), ['web:EXITED:0', 'web:RUNNING:1'])
  assert.ok(
    trial.events.told.includes('p spec.containers{web} Killing: Container web definition changed, will be restarted'),
  )
})

test('one that ends as its rule says has the whole pod begin anew, in the same sandbox', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  const rule = { action: 'RestartAllContainers' as const, exitCodes: { operator: 'In' as const, values: [42] } }
  const trigger = main({ name: 'trigger', restartPolicy: 'Never' as const, restartPolicyRules: [rule] })
  const spec = { restartPolicy: 'Never' as const, initContainers: [main({ name: 'i' })], containers: [main(), trigger] }
  const does = behaviour({
    i: { runFor: '1s' },
    trigger: [{ runFor: '3s', exitCode: 42 }, {}],
    web: { stop: 'ignore' },
  })
  await trial.create('p', spec, does)
  await trial.clock.advance('10s')
  assert.deepEqual(startedIn(trial), ['i', 'web', 'trigger', 'i', 'web', 'trigger'])
  assert.deepEqual(await trial.containers(), ['i:EXITED:1', 'web:RUNNING:1', 'trigger:RUNNING:1'])
  assert.deepEqual(await trial.sandboxes(), ['p:READY:0'])
})

test('a dead sandbox is replaced, and everything in it begins anew', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  await trial.create('p', { initContainers: [main({ name: 'i' })] }, behaviour({ i: { runFor: '1s' } }))
  await trial.clock.advance('3s')
  const { items } = await trial.settle(trial.runtime.listPodSandbox({}))
  await trial.settle(trial.runtime.stopPodSandbox({ podSandboxId: items[0]!.id }))
  await trial.clock.advance('30s')
  assert.deepEqual(
    (await trial.sandboxes()).filter((one) => one.includes(':READY')),
    ['p:READY:1'],
  )
  assert.deepEqual(
    (await trial.containers()).filter((one) => one.includes('RUNNING')),
    ['web:RUNNING:1'],
  )
  assert.ok(trial.events.told.includes('p SandboxChanged: Pod sandbox changed, it will be killed and re-created.'))
})
