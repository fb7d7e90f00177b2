import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pod } from '../api/core/v1/pod.js'
import { behaviour, KubeletHarness, main } from './kubelet.test.kit.js'

function startedIn({ events }: KubeletHarness): readonly string[] {
  return events.told.flatMap((event) => /\{(\w+)\} Started:/.exec(event)?.slice(1) ?? [])
}

test('init containers run one after the other, then the main ones', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  const initContainers = [main({ name: 'i1' }), main({ name: 'i2' })]
  await harness.create('p', { initContainers }, behaviour({ i1: { runFor: '2s' }, i2: { runFor: '2s' } }))
  await harness.clock.advance('1s')
  assert.deepEqual(startedIn(harness), ['i1'])
  await harness.clock.advance('2s')
  assert.deepEqual(startedIn(harness), ['i1', 'i2'])
  await harness.clock.advance('2s')
  assert.deepEqual(startedIn(harness), ['i1', 'i2', 'web'])
  assert.equal((await harness.get('p'))?.status.phase, 'Running')
})

test('a failed init container fails the pod if nothing restarts', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  const spec = { restartPolicy: 'Never' as const, initContainers: [main({ name: 'i1' }), main({ name: 'i2' })] }
  await harness.create('p', spec, behaviour({ i1: { runFor: '1s', exitCode: 2 } }))
  await harness.clock.advance('5s')
  assert.deepEqual(startedIn(harness), ['i1'])
  assert.equal((await harness.get('p'))?.status.phase, 'Failed')
})

test('a sidecar must have started before the next container, and outlives the main containers', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  const startupProbe = { exec: { command: ['true'] } }
  const sidecar = (name: string, more = {}) => main({ name, restartPolicy: 'Always', ...more })
  const initContainers = [sidecar('s1', { startupProbe }), main({ name: 'i' }), sidecar('s2')]
  const slow = { stop: { after: '1s' } }
  harness.prober.unknown.add('s1')
  const spec = { restartPolicy: 'Never' as const, initContainers, terminationGracePeriodSeconds: 30 }
  await harness.create('p', spec, behaviour({ s1: slow, s2: slow, i: { runFor: '1s' }, web: { runFor: '5s' } }))
  await harness.clock.advance('3s')
  assert.deepEqual(startedIn(harness), ['s1'])
  harness.prober.unknown.clear()
  harness.kubelet.resync((await harness.get('p'))!.metadata.uid!)
  await harness.clock.advance('3s')
  assert.deepEqual(startedIn(harness), ['s1', 'i', 's2', 'web'])
  await harness.clock.advance('10s')
  const ended = await Promise.all(
    (await harness.settle(harness.runtime.listContainers({}))).containers.map(async ({ id }) => {
      const { status } = await harness.runtime.containerStatus({ containerId: id })
      return { name: status!.metadata!.name, finishedAt: status!.finishedAt }
    }),
  )
  ended.sort((one, other) => Number(one.finishedAt - other.finishedAt))
  assert.deepEqual(
    ended.map(({ name }) => name),
    ['i', 'web', 's2', 's1'],
  )
  assert.equal((await harness.get('p'))?.status.phase, 'Succeeded')
})

test('a sidecar that exits is restarted', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  const initContainers = [main({ name: 's', restartPolicy: 'Always' as const })]
  await harness.create('p', { restartPolicy: 'Never', initContainers }, behaviour({ s: [{ runFor: '2s' }, {}] }))
  await harness.clock.advance('10s')
  assert.deepEqual(
    (await harness.containers()).filter((one) => one.includes('RUNNING')),
    ['web:RUNNING:0', 's:RUNNING:1'],
  )
})

test('an ephemeral container is started once', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  await harness.create('p', {}, behaviour({ debug: { runFor: '1s' } }))
  await harness.clock.advance('1s')
  const pods = harness.client.resource(Pod).in('ns')
  const debug = { spec: { ephemeralContainers: [{ name: 'debug', image: 'box:1', targetContainerName: 'web' }] } }
  await harness.settle(pods.subresource('ephemeralcontainers').patch('p', 'strategic', debug))
  await harness.clock.advance('1m')
  assert.deepEqual(await harness.containers(), ['web:RUNNING:0', 'debug:EXITED:0'])
  assert.equal((await harness.get('p'))?.status.phase, 'Running')
})

test('a container with a changed image is recreated', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  await harness.create('p', { restartPolicy: 'Never' })
  await harness.clock.advance('1s')
  const pods = harness.client.resource(Pod).in('ns')
  await harness.settle(pods.patch('p', 'strategic', { spec: { containers: [{ name: 'web', image: 'web:2' }] } }))
  await harness.clock.advance('5s')
  assert.deepEqual(await harness.containers(), ['web:EXITED:0', 'web:RUNNING:1'])
  assert.ok(
    harness.events.told.includes('p spec.containers{web} Killing: Container web definition changed, will be restarted'),
  )
})

test('an exit with the action RestartAllContainers restarts the whole pod in the same sandbox', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  const rule = { action: 'RestartAllContainers' as const, exitCodes: { operator: 'In' as const, values: [42] } }
  const trigger = main({ name: 'trigger', restartPolicy: 'Never' as const, restartPolicyRules: [rule] })
  const spec = { restartPolicy: 'Never' as const, initContainers: [main({ name: 'i' })], containers: [main(), trigger] }
  const does = behaviour({
    i: { runFor: '1s' },
    trigger: [{ runFor: '3s', exitCode: 42 }, {}],
    web: { stop: 'ignore' },
  })
  await harness.create('p', spec, does)
  await harness.clock.advance('10s')
  assert.deepEqual(startedIn(harness), ['i', 'web', 'trigger', 'i', 'web', 'trigger'])
  assert.deepEqual(await harness.containers(), ['i:EXITED:1', 'web:RUNNING:1', 'trigger:RUNNING:1'])
  assert.deepEqual(await harness.sandboxes(), ['p:READY:0'])
})

test('a dead sandbox is replaced, and all containers restart in it', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  await harness.create('p', { initContainers: [main({ name: 'i' })] }, behaviour({ i: { runFor: '1s' } }))
  await harness.clock.advance('3s')
  const { items } = await harness.settle(harness.runtime.listPodSandbox({}))
  await harness.settle(harness.runtime.stopPodSandbox({ podSandboxId: items[0]!.id }))
  await harness.clock.advance('30s')
  assert.deepEqual(
    (await harness.sandboxes()).filter((one) => one.includes(':READY')),
    ['p:READY:1'],
  )
  assert.deepEqual(
    (await harness.containers()).filter((one) => one.includes('RUNNING')),
    ['web:RUNNING:1'],
  )
  assert.ok(harness.events.told.includes('p SandboxChanged: Pod sandbox changed, it will be killed and re-created.'))
})
