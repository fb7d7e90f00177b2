import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { Pod } from '../api/core/v1/pod.js'
import { behaviour, KubeletHarness, main } from './kubelet.test.kit.js'

const preStop = { exec: { command: ['true'] } }

test('a pod that was deleted while the kubelet was down is stopped with its hook and grace period', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  const spec = { terminationGracePeriodSeconds: 8, containers: [main({ lifecycle: { preStop } })] }
  await harness.create('p', spec, behaviour({ web: { stop: 'ignore' } }))
  await harness.clock.advance('2s')
  await harness.kill()
  await harness.delete('p', 0)
  harness.start()
  await harness.clock.advance('6s')
  assert.deepEqual(await harness.containers(), ['web:RUNNING:0'])
  assert.deepEqual(harness.hooks.ran, ['web'])
  await harness.clock.advance('4s')
  assert.deepEqual(await harness.everything(), [])
  assert.deepEqual(readdirSync(harness.identity.podLogsFolder), [])
})

test('orphaned pods are cleaned up, but not before the sources are listed', async () => {
  await using harness = await KubeletHarness.begin()
  harness.things.volumes.add('gone')
  harness.things.cgroups.add('gone-too')
  harness.start()
  await harness.clock.advance('2s')
  assert.deepEqual(await harness.everything(), [])
})

test('logs of orphaned pods are removed, and other files stay', async () => {
  await using harness = await KubeletHarness.begin()
  const folder = harness.identity.podLogsFolder
  const put = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), '')
  }
  const theirs = ['my_holiday_photos/summer.jpg', 'my_old_things/box/note.txt', 'a_b_c_d/web/0.log', 'notes.txt']
  for (const path of ['ns_p_gone/web/0.log', 'ns_p_gone/web/0.log.20260101-000000.gz', ...theirs]) put(path)
  harness.start()
  await harness.clock.advance('2s')
  assert.deepEqual(readdirSync(folder).sort(), ['a_b_c_d', 'my_holiday_photos', 'my_old_things', 'notes.txt'])
  for (const path of theirs) assert.ok(existsSync(join(folder, path)))
})

test('a pod that had finished before a restart keeps its status', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  await harness.create('p', { restartPolicy: 'Never' }, behaviour({ web: { runFor: '1s', exitCode: 3 } }))
  await harness.clock.advance('5s')
  const before = (await harness.get('p'))!.status
  await harness.kill()
  harness.start()
  await harness.clock.advance('1m')
  assert.deepEqual((await harness.get('p'))!.status, before)
  assert.deepEqual(await harness.containers(), ['web:EXITED:0'])
  await harness.delete('p')
  await harness.clock.advance('5s')
  assert.equal(await harness.get('p'), undefined)
  assert.deepEqual(await harness.everything(), [])
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

test('a static pod runs, and its mirror pod is created again when it is deleted', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  harness.staticPods.set(staticPod('u1'))
  await harness.clock.advance('2s')
  assert.deepEqual(await harness.containers(), ['web:RUNNING:0'])
  const mirror = await harness.get('static-n1')
  assert.equal(mirror?.status.phase, 'Running')
  await harness.delete('static-n1', 0)
  await harness.clock.advance('2s')
  assert.equal((await harness.get('static-n1'))?.status.phase, 'Running')
  assert.deepEqual(await harness.containers(), ['web:RUNNING:0'])
  harness.staticPods.set()
  await harness.clock.advance('5s')
  assert.equal(await harness.get('static-n1'), undefined)
  assert.deepEqual(await harness.everything(), [])
})

test('a changed static pod waits until the earlier one has ended', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  const slow = (pod: Pod) => ({
    ...pod,
    metadata: {
      ...pod.metadata,
      annotations: { ...pod.metadata.annotations, ...behaviour({ web: { stop: 'ignore' } }) },
    },
  })
  harness.staticPods.set(slow(staticPod('u1')))
  await harness.clock.advance('2s')
  harness.staticPods.set(slow(staticPod('u2', 'web:2')))
  await harness.clock.advance('1s')
  assert.deepEqual(await harness.sandboxes(), ['static-n1:READY:0'])
  await harness.clock.advance('10s')
  assert.deepEqual(await harness.containers(), ['web:RUNNING:0'])
  assert.deepEqual([...harness.things.volumes], ['u2'])
})

test('a static pod whose file returns while it terminates runs again', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  harness.staticPods.set(staticPod('u1'))
  await harness.clock.advance('2s')
  harness.staticPods.set()
  harness.staticPods.set(staticPod('u1'))
  await harness.clock.advance('10s')
  assert.deepEqual(await harness.containers(), ['web:RUNNING:0'])
})

test('a pod of the same name as a terminating one starts without waiting', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  await harness.create('p', { terminationGracePeriodSeconds: 60 }, behaviour({ web: { stop: 'ignore' } }))
  await harness.clock.advance('2s')
  await harness.delete('p', 0)
  await harness.create('p', {})
  await harness.clock.advance('2s')
  assert.equal((await harness.get('p'))?.status.phase, 'Running')
  assert.equal((await harness.containers()).length, 2)
  await harness.clock.advance('2m')
  assert.deepEqual(await harness.containers(), ['web:RUNNING:0'])
  assert.equal((await harness.get('p'))?.status.phase, 'Running')
})
