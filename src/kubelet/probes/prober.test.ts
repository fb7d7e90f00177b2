import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import { ProbeError } from './probe-result.js'
import { ProbeHarness } from './prober.test.kit.js'

const exec = (command: string) => ({ exec: { command: command.split(' ') } })

describe('a container that is probed', () => {
  test('counts as ready, started and alive without probes', async () => {
    const harness = await ProbeHarness.start({})
    await harness.startContainer()
    assert.deepEqual(harness.results(), [true, true, true])
  })

  test('is unready until its readiness probe succeeds, and is probed at once', async () => {
    const harness = await ProbeHarness.start({ readinessProbe: { ...exec('ok'), periodSeconds: 10 } })
    await harness.look()
    await harness.startContainer()
    assert.deepEqual(harness.results(), [true, false, true])
    await harness.clock.settle()
    assert.deepEqual(harness.results(), [true, true, true])
    assert.deepEqual(harness.looks, [0])
    await harness.clock.advance('25s')
    assert.deepEqual(
      harness.asked.map(({ at }) => at),
      [0, 10, 20],
    )
  })

  test('is unready after consecutive failures, each recorded with its output', async () => {
    const replies = { check: { exitCode: 1, stdout: 'not well\n' } }
    const probe = { ...exec('check'), periodSeconds: 5, failureThreshold: 3 }
    const harness = await ProbeHarness.start({ livenessProbe: probe }, replies)
    await harness.look()
    await harness.startContainer()
    await harness.clock.advance('14s')
    assert.deepEqual([harness.results()[2], harness.looks], [true, []])
    await harness.clock.advance('1s')
    assert.deepEqual([harness.results()[2], harness.looks], [false, [15]])
    assert.deepEqual(new Set(harness.messages()), new Set(['Unhealthy: Liveness probe failed: not well\n']))
    assert.deepEqual(harness.events[0]?.fieldPath, 'spec.containers{c}')
  })

  test('is not probed after it has failed for good, until it restarts', async () => {
    const replies = { check: { exitCode: 1 } }
    const harness = await ProbeHarness.start(
      { livenessProbe: { ...exec('check'), periodSeconds: 1, failureThreshold: 2 } },
      replies,
    )
    await harness.startContainer()
    await harness.clock.advance('10s')
    assert.equal(harness.asked.length, 2)
    await harness.stopContainer()
    await harness.startContainer()
    assert.equal(harness.results()[2], true)
    await harness.clock.advance('10s')
    assert.equal(harness.asked.length, 4)
    assert.equal(harness.results()[2], false)
  })

  test('is first probed after its initial delay', async () => {
    const probe = { ...exec('ok'), periodSeconds: 2, initialDelaySeconds: 5 }
    const harness = await ProbeHarness.start({ livenessProbe: probe, readinessProbe: probe })
    await harness.startContainer()
    await harness.look()
    await harness.clock.advance('7s')
    assert.deepEqual(
      harness.asked.map(({ at }) => at),
      [6, 6],
    )
  })

  test('has readiness and liveness probes only after it has started', async () => {
    const harness = await ProbeHarness.start({
      startupProbe: { ...exec('start'), periodSeconds: 3, failureThreshold: 30, initialDelaySeconds: 4 },
      readinessProbe: { ...exec('ready'), periodSeconds: 20 },
      livenessProbe: { ...exec('live'), periodSeconds: 4 },
    })
    await harness.startContainer()
    assert.deepEqual(harness.results(), [undefined, false, true])
    await harness.clock.advance('9s')
    assert.deepEqual(
      harness.asked.map(({ at, command }) => `${command} ${at}`),
      ['start 6', 'ready 6', 'live 8'],
    )
    assert.deepEqual(harness.results(), [true, true, true])
  })

  test('that does not start in time must be killed', async () => {
    const probe = { ...exec('start'), periodSeconds: 1, failureThreshold: 2 }
    const harness = await ProbeHarness.start({ startupProbe: probe }, { start: { exitCode: 1 } })
    await harness.startContainer()
    await harness.clock.advance('2s')
    assert.deepEqual([harness.results()[0], harness.looks], [false, [2]])
  })

  test('needs as many consecutive successes as its threshold', async () => {
    const harness = await ProbeHarness.start({
      readinessProbe: { ...exec('ok'), periodSeconds: 1, successThreshold: 3 },
    })
    await harness.startContainer()
    await harness.clock.advance('1.9s')
    assert.equal(harness.results()[1], false)
    await harness.clock.advance('0.2s')
    assert.equal(harness.results()[1], true)
  })

  test('that times out has failed, and the event has the timeout', async () => {
    const probe = { ...exec('sleep 9'), periodSeconds: 5, timeoutSeconds: 2 }
    const harness = await ProbeHarness.start({ livenessProbe: probe }, { 'sleep 9': { takes: '9s' } })
    await harness.startContainer()
    await harness.clock.advance('8s')
    assert.deepEqual(harness.messages(), [
      'Unhealthy: Liveness probe failed: command timed out: "sleep 9" timed out after 2s',
    ])
  })

  test('is probed one at a time, and at once if a probe was missed', async () => {
    const probe = { ...exec('slow'), periodSeconds: 1, timeoutSeconds: 9 }
    const harness = await ProbeHarness.start({ livenessProbe: probe }, { slow: { takes: '2.5s' } })
    await harness.startContainer()
    await harness.clock.advance('9s')
    assert.deepEqual(
      harness.asked.map(({ at }) => at),
      [1, 3.5, 6, 8.5],
    )
  })

  test('does not take over a result of the container before it', async () => {
    const probe = { ...exec('slow'), periodSeconds: 1, timeoutSeconds: 9 }
    const harness = await ProbeHarness.start({ readinessProbe: probe }, { slow: { takes: '5s' } })
    await harness.startContainer()
    await harness.clock.advance('1s')
    await harness.stopContainer()
    await harness.startContainer()
    await harness.clock.advance('4.5s')
    assert.equal(harness.results()[1], false)
    await harness.clock.advance('5s')
    assert.equal(harness.results()[1], true)
  })

  test('keeps its state if the probe has an error, which is recorded', async () => {
    let tries = 0
    const refuse = async () => {
      tries += 1
      throw new ProbeError('nobody there', 'failure')
    }
    const actions = { http: refuse, tcp: refuse, grpc: refuse }
    const livenessProbe = { tcpSocket: { port: 80 }, periodSeconds: 1, failureThreshold: 1 }
    const harness = await ProbeHarness.start({ livenessProbe }, {}, { actions })
    await harness.startContainer()
    await harness.clock.advance('1s')
    assert.deepEqual([harness.results()[2], tries], [true, 3])
    assert.deepEqual(harness.messages(), [
      'Unhealthy: Liveness probe errored and resulted in failure state: nobody there',
    ])
  })

  test('with an invalid port has an error event', async () => {
    const harness = await ProbeHarness.start({ livenessProbe: { tcpSocket: { port: 'web' }, periodSeconds: 1 } })
    await harness.startContainer()
    await harness.clock.advance('1s')
    assert.deepEqual(harness.messages(), [
      'Unhealthy: Liveness probe errored and resulted in unknown state: strconv.Atoi: parsing "web": invalid syntax',
    ])
  })

  test('is unready and not probed while it does not run', async () => {
    const harness = await ProbeHarness.start({ readinessProbe: { ...exec('ok'), periodSeconds: 1 } })
    await harness.startContainer()
    await harness.clock.settle()
    await harness.stopContainer()
    assert.equal(harness.results()[1], false)
    const { length } = harness.asked
    await harness.clock.advance('1m')
    assert.equal(harness.asked.length, length)
    assert.equal(harness.clock.pending, 0)
  })
})

describe('of a terminating pod', () => {
  const probe = { periodSeconds: 1, failureThreshold: 1 }
  const container = { readinessProbe: { ...exec('ready'), ...probe }, livenessProbe: { ...exec('live'), ...probe } }

  test('keeps only its readiness probe', async () => {
    const harness = await ProbeHarness.start(container)
    await harness.startContainer()
    await harness.clock.advance('1s')
    harness.asked.length = 0
    harness.prober.stopLivenessAndStartup(harness.pod, await harness.observed())
    await harness.clock.advance('2s')
    assert.deepEqual(
      harness.asked.map(({ command }) => command),
      ['ready', 'ready'],
    )
  })

  test('is not killed by a liveness probe', async () => {
    const harness = await ProbeHarness.start(container, { live: { exitCode: 1 } })
    await harness.startContainer()
    await harness.clock.settle()
    const metadata = { ...harness.pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' }
    await harness.look({ ...harness.pod, metadata } as Pod)
    await harness.clock.advance('3s')
    assert.deepEqual(harness.messages(), [])
    assert.equal(harness.results()[2], true)
  })

  test('has no probes left after its removal', async () => {
    const harness = await ProbeHarness.start(container)
    await harness.startContainer()
    await harness.clock.advance('1s')
    assert.match(await harness.metrics.text(), /prober_probe_total\{.*probe_type="Liveness".*result="successful"/)
    harness.prober.removePod('u')
    assert.equal(harness.clock.pending, 0)
    assert.doesNotMatch(await harness.metrics.text(), /prober_probe_total\{/)
    assert.equal(harness.prober.readiness(harness.containerId), true)
  })
})

describe('after a restart of the kubelet', () => {
  test('keeps its readiness and start, and is probed at a random time in its period', async () => {
    const harness = await ProbeHarness.start({
      startupProbe: exec('start'),
      readinessProbe: { ...exec('ready'), periodSeconds: 10 },
    })
    await harness.startContainer()
    await harness.clock.advance('1m')
    harness.restartKubelet()
    harness.asked.length = 0
    const told = { name: 'c', containerID: `simulated://${harness.containerId}`, ready: true, started: true }
    await harness.look({ ...harness.pod, status: { containerStatuses: [told] } } as unknown as Pod)
    assert.deepEqual(harness.results(), [true, true, true])
    await harness.clock.settle()
    assert.equal(harness.asked.length, 0)
    await harness.clock.advance('10s')
    const [first, ...others] = harness.asked
    assert.deepEqual([first?.command, others], ['ready', []])
    assert.ok(first!.at > 60 && first!.at < 70)
  })

  test('that started meanwhile has new results', async () => {
    const harness = await ProbeHarness.start({ readinessProbe: exec('ready') })
    const told = { name: 'c', containerID: 'simulated://another', ready: true }
    await harness.startContainer()
    await harness.clock.advance('1m')
    harness.restartKubelet()
    await harness.look({ ...harness.pod, status: { containerStatuses: [told] } } as unknown as Pod)
    assert.equal(harness.results()[1], false)
  })
})

describe('a sidecar', () => {
  test('has probes as main containers do; other init containers have none', async () => {
    const side = { name: 'c', image: 'web', restartPolicy: 'Always', livenessProbe: { ...exec('x'), periodSeconds: 1 } }
    const first = { ...side, name: 'first', restartPolicy: undefined }
    const spec = { initContainers: [side, first], containers: [{ name: 'main', image: 'web' }] }
    const harness = await ProbeHarness.start({}, { x: { exitCode: 1, stdout: 'no' } }, { spec: spec as never })
    await harness.startContainer()
    await harness.clock.advance('1s')
    assert.deepEqual(harness.events[0]?.fieldPath, 'spec.initContainers{c}')
  })
})
