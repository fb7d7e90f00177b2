import assert from 'node:assert/strict'
import { test } from 'node:test'
import { behaviour, KubeletHarness, main } from './kubelet.test.kit.js'

test('a crashing container restarts at once, then after 10 s, 20 s and so on up to 5 min', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  await harness.create('p', {}, behaviour({ web: { runFor: '1s', exitCode: 7 } }))
  const begun = harness.clock.now()
  const starts: number[] = []
  for (let seconds = 0; seconds < 2000; seconds++) {
    await harness.clock.advance('1s')
    const count = harness.events.told.filter((event) => event.includes(' Started: ')).length
    while (starts.length < count) starts.push(Math.round((harness.clock.now() - begun) / 1000))
  }
  const pauses = starts.slice(1).map((at, index) => at - starts[index]!)
  const expected = [1, 11, 21, 41, 81, 161, 301, 301]
  assert.equal(pauses.length >= expected.length, true, String(pauses))
  for (const [index, pause] of expected.entries())
    assert.ok(Math.abs(pauses[index]! - pause) <= 1, `${index}: ${pauses[index]} and not ${pause}`)
  const { status } = (await harness.get('p'))!
  const [web] = status.containerStatuses!
  assert.equal(status.phase, 'Running')
  assert.equal(web?.state?.waiting?.reason, 'CrashLoopBackOff')
  const uid = (await harness.get('p'))!.metadata.uid
  assert.equal(web?.state?.waiting?.message, `back-off 5m0s restarting failed container=web pod=p_ns(${uid})`)
  assert.equal(web?.lastState?.terminated?.exitCode, 7)
  assert.ok(
    harness.events.told.includes(
      `p spec.containers{web} BackOff: Back-off restarting failed container web in pod p_ns(${uid})`,
    ),
  )
  // Only one exited container is kept.
  assert.equal((await harness.containers()).length, 1)
})

test('a container that ran for ten minutes has no back-off', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  const crashes = { runFor: '1s', exitCode: 1 }
  await harness.create('p', {}, behaviour({ web: [crashes, crashes, { runFor: '11m', exitCode: 1 }, {}] }))
  await harness.clock.advance('13m')
  assert.deepEqual((await harness.containers()).at(-1), 'web:RUNNING:3')
})

test('OnFailure restarts only failures, and Never restarts nothing', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  const twice = behaviour({ web: [{ runFor: '1s', exitCode: 4 }, { runFor: '1s' }] })
  await harness.create('onfailure', { restartPolicy: 'OnFailure' }, twice)
  await harness.create('never', { restartPolicy: 'Never' }, twice)
  await harness.clock.advance('1m')
  assert.equal((await harness.get('onfailure'))?.status.phase, 'Succeeded')
  assert.equal((await harness.get('onfailure'))?.status.containerStatuses?.[0]?.restartCount, 1)
  assert.equal((await harness.get('never'))?.status.phase, 'Failed')
  assert.equal((await harness.get('never'))?.status.containerStatuses?.[0]?.restartCount, 0)
})

test('a container that fails its liveness probe is stopped and restarted', async () => {
  await using harness = await KubeletHarness.begin()
  harness.start()
  const livenessProbe = { exec: { command: ['true'] }, terminationGracePeriodSeconds: 3 }
  await harness.create('p', { containers: [main({ livenessProbe })] }, behaviour({ web: { stop: 'ignore' } }))
  await harness.clock.advance('2s')
  const { uid } = (await harness.get('p'))!.metadata
  harness.prober.bad.liveness.add('web')
  harness.kubelet.resync(uid!)
  await harness.clock.advance('2s')
  assert.deepEqual(await harness.containers(), ['web:RUNNING:0'])
  harness.prober.bad.liveness.clear()
  await harness.clock.advance('2s')
  assert.deepEqual(await harness.containers(), ['web:EXITED:0', 'web:RUNNING:1'])
  assert.ok(
    harness.events.told.includes(
      'p spec.containers{web} Killing: Container web failed liveness probe, will be restarted',
    ),
  )
})
