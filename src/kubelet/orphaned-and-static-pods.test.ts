import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { Pod } from '../api/core/v1/pod.js'
import { behaviour, KubeletTrial, main } from './kubelet.test.kit.js'

const preStop = { exec: { command: ['true'] } }

test('a pod that was deleted while the kubelet was away is ended, with its hook and its grace period', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  const spec = { terminationGracePeriodSeconds: 8, containers: [main({ lifecycle: { preStop } })] }
  await trial.create('p', spec, behaviour({ web: { stop: 'ignore' } }))
  await trial.clock.advance('2s')
  await trial.kill()
  await trial.delete('p', 0)
  trial.start()
  await trial.clock.advance('6s')
  assert.deepEqual(await trial.containers(), ['web:RUNNING:0'])
  assert.deepEqual(trial.hooks.ran, ['web'])
  await trial.clock.advance('4s')
  assert.deepEqual(await trial.everything(), [])
  assert.deepEqual(readdirSync(trial.identity.podLogsFolder), [])
})

test('what is left of pods that nobody knows is taken away, but not before it is known which pods there are', async () => {
  await using trial = await KubeletTrial.begin()
  trial.things.volumes.add('gone')
  trial.things.cgroups.add('gone-too')
  trial.start()
  await trial.clock.advance('2s')
  assert.deepEqual(await trial.everything(), [])
})

test('logs of pods that nobody knows go, and what somebody else keeps beside them stays', async () => {
  await using trial = await KubeletTrial.begin()
  const folder = trial.identity.podLogsFolder
  const put = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), '')
  }
  const theirs = ['my_holiday_photos/summer.jpg', 'my_old_things/box/note.txt', 'a_b_c_d/web/0.log', 'notes.txt']
  for (const path of ['ns_p_gone/web/0.log', 'ns_p_gone/web/0.log.20260101-000000.gz', ...theirs]) put(path)
  trial.start()
  await trial.clock.advance('2s')
  assert.deepEqual(readdirSync(folder).sort(), ['a_b_c_d', 'my_holiday_photos', 'my_old_things', 'notes.txt'])
  for (const path of theirs) assert.ok(existsSync(join(folder, path)))
})

test('a pod that was over when the kubelet came back stays as it was told', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  await trial.create('p', { restartPolicy: 'Never' }, behaviour({ web: { runFor: '1s', exitCode: 3 } }))
  await trial.clock.advance('5s')
  const before = (await trial.get('p'))!.status
  await trial.kill()
  trial.start()
  await trial.clock.advance('1m')
  assert.deepEqual((await trial.get('p'))!.status, before)
  assert.deepEqual(await trial.containers(), ['web:EXITED:0'])
  await trial.delete('p')
  await trial.clock.advance('5s')
  assert.equal(await trial.get('p'), undefined)
  assert.deepEqual(await trial.everything(), [])
})

function staticPod(uid: string, image = 'web:1'): Pod {
  const annotations = { 'kubernetes.io/config.source': 'file', 'kubernetes.io/config.hash': uid }
  const metadata = { name: 'static-n1', namespace: 'ns', uid, annotations }
  const spec = {
    nodeName: 'n1',
    containers: [main({ image })],
    terminationGracePeriodSeconds: 3,
    restartPolicy: 'Always' as const,
    automountServiceAccountToken: false,
  }
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec, status: {} }
}

test('a static pod runs, and is shown by a mirror that comes back when it is deleted', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  trial.staticPods.set(staticPod('u1'))
  await trial.clock.advance('2s')
  assert.deepEqual(await trial.containers(), ['web:RUNNING:0'])
  const mirror = await trial.get('static-n1')
  assert.equal(mirror?.status.phase, 'Running')
  await trial.delete('static-n1', 0)
  await trial.clock.advance('2s')
  assert.equal((await trial.get('static-n1'))?.status.phase, 'Running')
  assert.deepEqual(await trial.containers(), ['web:RUNNING:0'])
  trial.staticPods.set()
  await trial.clock.advance('5s')
  assert.equal(await trial.get('static-n1'), undefined)
  assert.deepEqual(await trial.everything(), [])
})

test('a changed static pod waits until the former one has ended', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  const slow = (pod: Pod) => ({
    ...pod,
    metadata: {
      ...pod.metadata,
      annotations: { ...pod.metadata.annotations, ...behaviour({ web: { stop: 'ignore' } }) },
    },
  })
  trial.staticPods.set(slow(staticPod('u1')))
  await trial.clock.advance('2s')
  trial.staticPods.set(slow(staticPod('u2', 'web:2')))
  await trial.clock.advance('1s')
  assert.deepEqual(await trial.sandboxes(), ['static-n1:READY:0'])
  await trial.clock.advance('10s')
  assert.deepEqual(await trial.containers(), ['web:RUNNING:0'])
  assert.deepEqual([...trial.things.volumes], ['u2'])
})

test('a static pod whose file comes back while it ends runs again', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  trial.staticPods.set(staticPod('u1'))
  await trial.clock.advance('2s')
  trial.staticPods.set()
  trial.staticPods.set(staticPod('u1'))
  await trial.clock.advance('10s')
  assert.deepEqual(await trial.containers(), ['web:RUNNING:0'])
})

test('a pod of the same name as one that ends begins without waiting', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  await trial.create('p', { terminationGracePeriodSeconds: 60 }, behaviour({ web: { stop: 'ignore' } }))
  await trial.clock.advance('2s')
  await trial.delete('p', 0)
  await trial.create('p', {})
  await trial.clock.advance('2s')
  assert.equal((await trial.get('p'))?.status.phase, 'Running')
  assert.equal((await trial.containers()).length, 2)
  await trial.clock.advance('2m')
  assert.deepEqual(await trial.containers(), ['web:RUNNING:0'])
  assert.equal((await trial.get('p'))?.status.phase, 'Running')
})
