import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import { ProbeError } from './probe-result.js'
import { ProbeWorld } from './prober.test.kit.js'

const exec = (command: string) => ({ exec: { command: command.split(' ') } })

describe('a container that is probed', () => {
  test('counts as ready, started and alive where it has no probes', async () => {
    const world = await ProbeWorld.start({})
    await world.startContainer()
    assert.deepEqual(world.results(), [true, true, true])
  })

  test('is unready until its readiness probe succeeds, and is asked at once', async () => {
    const world = await ProbeWorld.start({ readinessProbe: { ...exec('ok'), periodSeconds: 10 } })
    await world.look()
    await world.startContainer()
    assert.deepEqual(world.results(), [true, false, true])
    await world.clock.settle()
    assert.deepEqual(world.results(), [true, true, true])
    assert.deepEqual(world.looks, [0])
    await world.clock.advance('25s')
    assert.deepEqual(
      world.asked.map(({ at }) => at),
      [0, 10, 20],
    )
  })

  test('is unready after so many failures in a row, each told in its own words', async () => {
    const replies = { check: { exitCode: 1, stdout: 'not well\n' } }
    const probe = { ...exec('check'), periodSeconds: 5, failureThreshold: 3 }
    const world = await ProbeWorld.start({ livenessProbe: probe }, replies)
    await world.look()
    await world.startContainer()
    await world.clock.advance('14s')
    assert.deepEqual([world.results()[2], world.looks], [true, []])
    await world.clock.advance('1s')
    assert.deepEqual([world.results()[2], world.looks], [false, [15]])
    assert.deepEqual(new Set(world.messages()), new Set(['Unhealthy: Liveness probe failed: not well\n']))
    assert.deepEqual(world.events[0]?.fieldPath, 'spec.containers{c}')
  })

  test('is left alone once it has failed for good, until there is another one', async () => {
    const replies = { check: { exitCode: 1 } }
    const world = await ProbeWorld.start(
      { livenessProbe: { ...exec('check'), periodSeconds: 1, failureThreshold: 2 } },
      replies,
    )
    await world.startContainer()
    await world.clock.advance('10s')
    assert.equal(world.asked.length, 2)
    await world.stopContainer()
    await world.startContainer()
    assert.equal(world.results()[2], true)
    await world.clock.advance('10s')
    assert.equal(world.asked.length, 4)
    assert.equal(world.results()[2], false)
  })

  test('is first asked after its initial delay', async () => {
    const probe = { ...exec('ok'), periodSeconds: 2, initialDelaySeconds: 5 }
    const world = await ProbeWorld.start({ livenessProbe: probe, readinessProbe: probe })
    await world.startContainer()
    await world.look()
    await world.clock.advance('7s')
    assert.deepEqual(
      world.asked.map(({ at }) => at),
      [6, 6],
    )
  })

  test('is asked for readiness and life only once it has started', async () => {
    const world = await ProbeWorld.start({
      startupProbe: { ...exec('start'), periodSeconds: 3, failureThreshold: 30, initialDelaySeconds: 4 },
      readinessProbe: { ...exec('ready'), periodSeconds: 20 },
      livenessProbe: { ...exec('live'), periodSeconds: 4 },
    })
    await world.startContainer()
    assert.deepEqual(world.results(), [undefined, false, true])
    await world.clock.advance('9s')
    assert.deepEqual(
      world.asked.map(({ at, command }) => `${command} ${at}`),
      ['start 6', 'ready 6', 'live 8'],
    )
    assert.deepEqual(world.results(), [true, true, true])
  })

  test('that did not start in time is to be killed', async () => {
    const probe = { ...exec('start'), periodSeconds: 1, failureThreshold: 2 }
    const world = await ProbeWorld.start({ startupProbe: probe }, { start: { exitCode: 1 } })
    await world.startContainer()
    await world.clock.advance('2s')
    assert.deepEqual([world.results()[0], world.looks], [false, [2]])
  })

  test('needs as many successes in a row as it says', async () => {
    const world = await ProbeWorld.start({ readinessProbe: { ...exec('ok'), periodSeconds: 1, successThreshold: 3 } })
    await world.startContainer()
    await world.clock.advance('1.9s')
    assert.equal(world.results()[1], false)
    await world.clock.advance('0.2s')
    assert.equal(world.results()[1], true)
  })

  test('that takes too long has failed, and says after how long', async () => {
    const probe = { ...exec('sleep 9'), periodSeconds: 5, timeoutSeconds: 2 }
    const world = await ProbeWorld.start({ livenessProbe: probe }, { 'sleep 9': { takes: '9s' } })
    await world.startContainer()
    await world.clock.advance('8s')
    assert.deepEqual(world.messages(), [
      'Unhealthy: Liveness probe failed: command timed out: "sleep 9" timed out after 2s',
    ])
  })

  test('is asked one question at a time, and at once where its turn was missed', async () => {
    const probe = { ...exec('slow'), periodSeconds: 1, timeoutSeconds: 9 }
    const world = await ProbeWorld.start({ livenessProbe: probe }, { slow: { takes: '2.5s' } })
    await world.startContainer()
    await world.clock.advance('9s')
    assert.deepEqual(
      world.asked.map(({ at }) => at),
      [1, 3.5, 6, 8.5],
    )
  })

  test('is not judged by an answer of the one before it', async () => {
    const probe = { ...exec('slow'), periodSeconds: 1, timeoutSeconds: 9 }
    const world = await ProbeWorld.start({ readinessProbe: probe }, { slow: { takes: '5s' } })
    await world.startContainer()
    await world.clock.advance('1s')
    await world.stopContainer()
    await world.startContainer()
    await world.clock.advance('4.5s')
    assert.equal(world.results()[1], false)
    await world.clock.advance('5s')
    assert.equal(world.results()[1], true)
  })

  test('whose question cannot be put stays as it was, and the event says so', async () => {
    let tries = 0
    const refuse = async () => {
      tries += 1
      throw new ProbeError('nobody there', 'failure')
    }
    const actions = { http: refuse, tcp: refuse, grpc: refuse }
    const livenessProbe = { tcpSocket: { port: 80 }, periodSeconds: 1, failureThreshold: 1 }
    const world = await ProbeWorld.start({ livenessProbe }, {}, { actions })
    await world.startContainer()
    await world.clock.advance('1s')
    assert.deepEqual([world.results()[2], tries], [true, 3])
    assert.deepEqual(world.messages(), [
      'Unhealthy: Liveness probe errored and resulted in failure state: nobody there',
    ])
  })

  test('with a port that means nothing is told as an error', async () => {
    const world = await ProbeWorld.start({ livenessProbe: { tcpSocket: { port: 'web' }, periodSeconds: 1 } })
    await world.startContainer()
    await world.clock.advance('1s')
    assert.deepEqual(world.messages(), [
      'Unhealthy: Liveness probe errored and resulted in unknown state: strconv.Atoi: parsing "web": invalid syntax',
    ])
  })

  test('is unready and not asked while it does not run', async () => {
    const world = await ProbeWorld.start({ readinessProbe: { ...exec('ok'), periodSeconds: 1 } })
    await world.startContainer()
    await world.clock.settle()
    await world.stopContainer()
    assert.equal(world.results()[1], false)
    const { length } = world.asked
    await world.clock.advance('1m')
    assert.equal(world.asked.length, length)
    assert.equal(world.clock.pending, 0)
  })
})

describe('when a pod ends', () => {
  const probe = { periodSeconds: 1, failureThreshold: 1 }
  const container = { readinessProbe: { ...exec('ready'), ...probe }, livenessProbe: { ...exec('live'), ...probe } }

  test('only readiness is asked for', async () => {
    const world = await ProbeWorld.start(container)
    await world.startContainer()
    await world.clock.advance('1s')
    world.asked.length = 0
    world.prober.stopLivenessAndStartup(world.pod, await world.observed())
    await world.clock.advance('2s')
    assert.deepEqual(
      world.asked.map(({ command }) => command),
      ['ready', 'ready'],
    )
  })

  test('so it is where the pod itself says that it is to go, and nobody is killed for what is heard', async () => {
    const world = await ProbeWorld.start(container, { live: { exitCode: 1 } })
    await world.startContainer()
    await world.clock.settle()
    const metadata = { ...world.pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' }
    await world.look({ ...world.pod, metadata } as Pod)
    await world.clock.advance('3s')
    assert.deepEqual(world.messages(), [])
    assert.equal(world.results()[2], true)
  })

  test('nothing is left of it once it is forgotten', async () => {
    const world = await ProbeWorld.start(container)
    await world.startContainer()
    await world.clock.advance('1s')
    assert.match(await world.metrics.text(), /prober_probe_total\{.*probe_type="Liveness".*result="successful"/)
    world.prober.removePod('u')
    assert.equal(world.clock.pending, 0)
    assert.doesNotMatch(await world.metrics.text(), /prober_probe_total\{/)
    assert.equal(world.prober.readiness(world.containerId), true)
  })
})

describe('after a restart of the kubelet', () => {
  test('a container stays as ready and started as it was told to be, and is asked at some moment of its period', async () => {
    const world = await ProbeWorld.start({
      startupProbe: exec('start'),
      readinessProbe: { ...exec('ready'), periodSeconds: 10 },
    })
    await world.startContainer()
    await world.clock.advance('1m')
    world.restartKubelet()
    world.asked.length = 0
    const told = { name: 'c', containerID: `simulated://${world.containerId}`, ready: true, started: true }
    await world.look({ ...world.pod, status: { containerStatuses: [told] } } as unknown as Pod)
    assert.deepEqual(world.results(), [true, true, true])
    await world.clock.settle()
    assert.equal(world.asked.length, 0)
    await world.clock.advance('10s')
    const [first, ...others] = world.asked
    assert.deepEqual([first?.command, others], ['ready', []])
    assert.ok(first!.at > 60 && first!.at < 70)
  })

  test('a container that was started meanwhile is judged anew', async () => {
    const world = await ProbeWorld.start({ readinessProbe: exec('ready') })
    const told = { name: 'c', containerID: 'simulated://another', ready: true }
    await world.startContainer()
    await world.clock.advance('1m')
    world.restartKubelet()
    await world.look({ ...world.pod, status: { containerStatuses: [told] } } as unknown as Pod)
    assert.equal(world.results()[1], false)
  })
})

describe('a sidecar', () => {
  test('has probes as main containers have them; other init containers have none', async () => {
    const side = { name: 'c', image: 'web', restartPolicy: 'Always', livenessProbe: { ...exec('x'), periodSeconds: 1 } }
    const first = { ...side, name: 'first', restartPolicy: undefined }
    const spec = { initContainers: [side, first], containers: [{ name: 'main', image: 'web' }] }
    const world = await ProbeWorld.start({}, { x: { exitCode: 1, stdout: 'no' } }, { spec: spec as never })
    await world.startContainer()
    await world.clock.advance('1s')
    assert.deepEqual(world.events[0]?.fieldPath, 'spec.initContainers{c}')
  })
})
