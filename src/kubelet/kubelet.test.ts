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
