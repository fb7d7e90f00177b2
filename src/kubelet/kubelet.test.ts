import assert from 'node:assert/strict'
import { test } from 'node:test'
import { behaviour, KubeletTrial, main } from './kubelet.test.kit.js'

test('a pod that is bound to this node runs', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  await trial.create('p', {})
  await trial.clock.advance('2s')
  assert.deepEqual(await trial.containers(), ['web:RUNNING:0'])
  const { status } = (await trial.get('p'))!
  assert.equal(status.phase, 'Running')
  assert.match(status.containerStatuses![0]!.containerID!, /^proa-simulated:\/\//)
  assert.deepEqual(trial.events.told, [
    'p spec.containers{web} Created: Container created',
    'p spec.containers{web} Started: Container started',
  ])
  assert.deepEqual(trial.complaints, [])
})

test('a pod that was deleted is stopped, and nothing is left of it', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  await trial.create('p', {}, behaviour({ web: { stop: { after: '2s' } } }))
  await trial.clock.advance('2s')
  await trial.delete('p')
  await trial.clock.advance('1s')
  assert.deepEqual(await trial.containers(), ['web:RUNNING:0'])
  await trial.clock.advance('2s')
  assert.equal(await trial.get('p'), undefined)
  assert.deepEqual(await trial.everything(), [])
  assert.equal(trial.events.told.at(-1), 'p spec.containers{web} Killing: Stopping container web')
  assert.deepEqual(trial.complaints, [])
})

test('a pod that has done its work is over; its container is kept until the pod is deleted', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  await trial.create('p', { restartPolicy: 'Never', containers: [main()] }, behaviour({ web: { runFor: '1s' } }))
  await trial.clock.advance('3s')
  const { status } = (await trial.get('p'))!
  assert.equal(status.phase, 'Succeeded')
  assert.equal(status.conditions?.find(({ type }) => type === 'PodReadyToStartContainers')?.status, 'False')
  assert.deepEqual(await trial.everything(), ['p:NOTREADY:0', 'web:EXITED:0'])
  await trial.delete('p')
  await trial.clock.advance('1s')
  assert.equal(await trial.get('p'), undefined)
  assert.deepEqual(await trial.everything(), [])
})

test('what it does is counted', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  await trial.create('p', {})
  await trial.create('q', { restartPolicy: 'Never' }, behaviour({ web: { runFor: '1s' } }))
  await trial.clock.advance('3s')
  const lines = (await trial.environment.metrics.text()).split('\n')
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

test('each stage of the work tells what it did', async () => {
  await using trial = await KubeletTrial.begin()
  const stages: string[] = []
  trial.environment.tracer.subscribe(({ component, stage, decision }) => {
    if (component === 'kubelet') stages.push(`${stage}: ${decision.replace(/(pod|^)[0-9a-f-]{36,}/, '$1ID')}`)
  })
  trial.start()
  await trial.create('p', {})
  await trial.clock.advance('3s')
  await trial.delete('p')
  await trial.clock.advance('3s')
  assert.deepEqual(
    stages.filter((stage) => stage !== 'volumes: 0 there'),
    [
      'admit: taken',
      'cgroups: /kubepods/podID',
      'sandbox: ID',
      'image web: done',
      'configure web: done',
      'create web: done',
      'start web: done',
      'terminate: 1 stopped',
      'remove volumes: done',
      'remove cgroups: done',
      'take away: done',
    ],
  )
})
