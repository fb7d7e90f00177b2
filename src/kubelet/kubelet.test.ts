import assert from 'node:assert/strict'
import { test } from 'node:test'
import { behaviour, KubeletHarness, main } from './kubelet.test.kit.js'

test('a pod that is bound to this node runs', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  await harness.create('p', {})
  await harness.clock.advance('2s')
  assert.deepEqual(await harness.containers(), ['web:RUNNING:0'])
  const { status } = (await harness.get('p'))!
  assert.equal(status.phase, 'Running')
  assert.match(status.containerStatuses![0]!.containerID!, /^proa-simulated:\/\//)
  assert.deepEqual(harness.events.told, [
    'p spec.containers{web} Created: Container created',
    'p spec.containers{web} Started: Container started',
  ])
  assert.deepEqual(harness.complaints, [])
})

test('a deleted pod is stopped and leaves nothing behind', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  await harness.create('p', {}, behaviour({ web: { stop: { after: '2s' } } }))
  await harness.clock.advance('2s')
  await harness.delete('p')
  await harness.clock.advance('1s')
  assert.deepEqual(await harness.containers(), ['web:RUNNING:0'])
  await harness.clock.advance('2s')
  assert.equal(await harness.get('p'), undefined)
  assert.deepEqual(await harness.everything(), [])
  assert.equal(harness.events.told.at(-1), 'p spec.containers{web} Killing: Stopping container web')
  assert.deepEqual(harness.complaints, [])
})

test('a pod that has completed keeps its container until it is deleted', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  await harness.create('p', { restartPolicy: 'Never', containers: [main()] }, behaviour({ web: { runFor: '1s' } }))
  await harness.clock.advance('3s')
  const { status } = (await harness.get('p'))!
  assert.equal(status.phase, 'Succeeded')
  assert.equal(status.conditions?.find(({ type }) => type === 'PodReadyToStartContainers')?.status, 'False')
  assert.deepEqual(await harness.everything(), ['p:NOTREADY:0', 'web:EXITED:0'])
  await harness.delete('p')
  await harness.clock.advance('1s')
  assert.equal(await harness.get('p'), undefined)
  assert.deepEqual(await harness.everything(), [])
})

test('metrics count the work', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  await harness.create('p', {})
  await harness.create('q', { restartPolicy: 'Never' }, behaviour({ web: { runFor: '1s' } }))
  await harness.clock.advance('3s')
  const lines = (await harness.environment.metrics.text()).split('\n')
  for (const line of [
    'kubelet_started_pods_total 2',
    'kubelet_started_containers_total{container_type="container"} 2',
    'kubelet_running_pods 1',
    'kubelet_running_containers{container_state="running"} 1',
    'kubelet_running_containers{container_state="exited"} 1',
    'kubelet_pod_start_duration_seconds_count 2',
  ])
    assert.ok(lines.includes(line), line)
})

test('each stage is traced', async () => {
  await using harness = await KubeletHarness.begin()
  const stages: string[] = []
  harness.environment.tracer.subscribe(({ component, stage, decision }) => {
    if (component === 'kubelet') stages.push(`${stage}: ${decision.replace(/(pod|^)[0-9a-f-]{36,}/, '$1ID')}`)
  })
  harness.start()
  await harness.create('p', {})
  await harness.clock.advance('3s')
  await harness.delete('p')
  await harness.clock.advance('3s')
  assert.deepEqual(
    stages.filter((stage) => stage !== 'volumes: 0 there'),
    [
      'admit: admitted',
      'cgroups: /kubepods/podID',
      'sandbox: ID',
      'image web: done',
      'configure web: done',
      'create web: done',
      'start web: done',
      'terminate: 1 stopped',
      'remove volumes: done',
      'remove cgroups: done',
      'clean up: done',
    ],
  )
})
