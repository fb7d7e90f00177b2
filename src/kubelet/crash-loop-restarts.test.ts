import assert from 'node:assert/strict'
import { test } from 'node:test'
import { behaviour, KubeletTrial, main } from './kubelet.test.kit.js'

test('a container that crashes is restarted at once, then after 10 s, 20 s and so on up to 5 min', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  await trial.create('p', {}, behaviour({ web: { runFor: '1s', exitCode: 7 } }))
  const begun = trial.clock.now()
  const starts: number[] = []
  for (let seconds = 0; seconds < 2000; seconds++) {
    await trial.clock.advance('1s')
    const count = trial.events.told.filter((event) => event.includes(' Started: ')).length
    while (starts.length < count) starts.push(Math.round((trial.clock.now() - begun) / 1000))
  }
  const pauses = starts.slice(1).map((at, index) => at - starts[index]!)
  const expected = [1, 11, 21, 41, 81, 161, 301, 301]
  assert.equal(pauses.length >= expected.length, true, String(pauses))
  for (const [index, pause] of expected.entries())
    assert.ok(Math.abs(pauses[index]! - pause) <= 1, `${index}: ${pauses[index]} and not ${pause}`)
  const { status } = (await trial.get('p'))!
  const [web] = status.containerStatuses!
  assert.equal(status.phase, 'Running')
  assert.equal(web?.state?.waiting?.reason, 'CrashLoopBackOff')
  const uid = (await trial.get('p'))!.metadata.uid
  assert.equal(web?.state?.waiting?.message, `back-off 5m0s restarting failed container=web pod=p_ns(${uid})`)
  assert.equal(web?.lastState?.terminated?.exitCode, 7)
  assert.ok(
    trial.events.told.includes(
      `p spec.containers{web} BackOff: Back-off restarting failed container web in pod p_ns(${uid})`,
    ),
  )
  // One dead container is kept, and no more.
  assert.equal((await trial.containers()).length, 1)
})

test('a container that ran for ten minutes is no longer held back', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  const crashes = { runFor: '1s', exitCode: 1 }
  await trial.create('p', {}, behaviour({ web: [crashes, crashes, { runFor: '11m', exitCode: 1 }, {}] }))
  await trial.clock.advance('13m')
  assert.deepEqual((await trial.containers()).at(-1), 'web:RUNNING:3')
})

test('only failures are restarted with OnFailure, and nothing with Never', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  const twice = behaviour({ web: [{ runFor: '1s', exitCode: 4 }, { runFor: '1s' }] })
  await trial.create('onfailure', { restartPolicy: 'OnFailure' }, twice)
  await trial.create('never', { restartPolicy: 'Never' }, twice)
  await trial.clock.advance('1m')
  assert.equal((await trial.get('onfailure'))?.status.phase, 'Succeeded')
  assert.equal((await trial.get('onfailure'))?.status.containerStatuses?.[0]?.restartCount, 1)
  assert.equal((await trial.get('never'))?.status.phase, 'Failed')
  assert.equal((await trial.get('never'))?.status.containerStatuses?.[0]?.restartCount, 0)
})

test('a container that fails its liveness probe is stopped and restarted', async () => {
  await using trial = await KubeletTrial.begin()
  trial.start()
  const livenessProbe = { exec: { command: ['true'] }, terminationGracePeriodSeconds: 3 }
  await trial.create('p', { containers: [main({ livenessProbe })] }, behaviour({ web: { stop: 'ignore' } }))
  await trial.clock.advance('2s')
  const { uid } = (await trial.get('p'))!.metadata
  trial.prober.bad.liveness.add('web')
  trial.kubelet.resync(uid!)
  await trial.clock.advance('2s')
  assert.deepEqual(await trial.containers(), ['web:RUNNING:0'])
  trial.prober.bad.liveness.clear()
  await trial.clock.advance('2s')
  assert.deepEqual(await trial.containers(), ['web:EXITED:0', 'web:RUNNING:1'])
  assert.ok(
    trial.events.told.includes(
      'p spec.containers{web} Killing: Container web failed liveness probe, will be restarted',
    ),
  )
})
