import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { ObservedContainer } from '../runtime/observed-pod.js'
import type { PodStatusInput } from './pod-status-input.js'
import { container, goneSandbox, lastStatus, observed, pod, runs, seen } from './pod-status-input.test.kit.js'

const only = ({ containerStatuses }: PodStatus) => containerStatuses![0]!
const conditionOf = ({ conditions }: PodStatus, type: string) => conditions?.find((one) => one.type === type)
const exits = (exitCode: number) => observed('c', 'exited', { exitCode })
const probes = (readiness?: boolean, startup?: boolean): PodStatusInput['probes'] => ({
  readiness: () => readiness,
  startup: () => startup,
  liveness: () => undefined,
})

describe('a container', () => {
  test('that the runtime lost counts as exited, and as a restart', () => {
    const status = only(lastStatus(pod({}), [runs(observed('c', 'running')), runs()]))
    assert.deepEqual(status.state, { waiting: { reason: 'ContainerCreating' } })
    assert.equal(status.restartCount, 1)
    assert.deepEqual(status.lastState?.terminated, {
      exitCode: 137,
      reason: 'ContainerStatusUnknown',
      message: 'The container could not be located when the pod was deleted.  The container used to be Running',
    })
  })

  test('in the unknown state counts as exited once', () => {
    const unknown = runs(observed('c', 'unknown'))
    for (const looks of [[unknown], [unknown, unknown]]) {
      const status = only(lastStatus(pod({ restartPolicy: 'Never' }), [runs(observed('c', 'running')), ...looks]))
      assert.equal(status.state?.terminated?.reason, 'ContainerStatusUnknown')
      assert.equal(status.restartCount, 1)
    }
  })

  test('that never ran when its pod ended has failed; one behind an init container keeps waiting', () => {
    const ended = { observed: seen([], [goneSandbox]), isTerminated: true }
    const status = lastStatus(pod({}), [{}, ended])
    assert.deepEqual([status.phase, only(status).state?.terminated?.exitCode], ['Failed', 137])
    const behind = lastStatus(pod({ initContainers: [container('i'), container('j')] }), [{}, ended])
    assert.deepEqual(only(behind).state, { waiting: { reason: 'PodInitializing' } })
    assert.deepEqual(
      behind.initContainerStatuses?.map(({ state }) => state?.terminated?.reason),
      ['ContainerStatusUnknown', undefined],
    )
  })

  test('keeps its last termination after the runtime removed it', () => {
    const second = observed('c', 'running', { restartCount: 1 })
    const status = only(lastStatus(pod({}), [runs(exits(3)), runs(second, exits(3)), runs(second)]))
    assert.equal(status.lastState?.terminated?.exitCode, 3)
    assert.equal(status.restartCount, 1)
  })

  test('that could not start shows its earlier exit', () => {
    const failed = observed('c', 'exited', {
      exitCode: 128,
      reason: 'StartError',
      message: 'no such file',
      startedAt: 0,
    })
    const waiting = new Map([['c', { reason: 'RunContainerError', message: 'no such file' }]])
    const status = only(lastStatus(pod({}), [{ ...runs(failed), waiting }]))
    assert.deepEqual(status.state, { waiting: { reason: 'RunContainerError', message: 'no such file' } })
    assert.equal(status.lastState?.terminated?.startedAt, '1970-01-01T00:00:00Z')
    assert.equal(status.containerID, 'containerd://c-0')
  })

  test('has no waiting reason in a deleted pod', () => {
    const waiting = new Map([['c', { reason: 'CrashLoopBackOff', message: '' }]])
    const of = pod({}, { deletionTimestamp: '2026-05-01T10:00:00Z' })
    assert.equal(only(lastStatus(of, [{ ...runs(exits(1)), waiting }])).state?.terminated?.exitCode, 1)
  })

  test('has a limited termination message', () => {
    const of = pod({ initContainers: [container('i')], containers: [container('c'), container('d')] })
    const status = lastStatus(of, [runs(observed('c', 'exited', { message: 'ö'.repeat(4000) }))])
    assert.equal(Buffer.byteLength(only(status).state!.terminated!.message!), 4096)
  })

  test('reports its user and its mounts', () => {
    const user = { linux: { uid: 1000, gid: 3000, supplementalGroups: [4000] } }
    const mounts = [
      { name: 'a', mountPath: '/a', readOnly: true, recursiveReadOnly: 'IfPossible' },
      { name: 'b', mountPath: '/b', readOnly: true },
      { name: 'c', mountPath: '/c' },
    ] as const
    const of = pod({ containers: [container('c', { volumeMounts: mounts })] })
    const status = only(
      lastStatus(of, [{ ...runs(observed('c', 'running', { user })), mountsRecursivelyReadOnly: true }]),
    )
    assert.deepEqual(status.user, user)
    assert.deepEqual(status.volumeMounts, [
      { name: 'a', mountPath: '/a', readOnly: true, recursiveReadOnly: 'Enabled' },
      { name: 'b', mountPath: '/b', readOnly: true, recursiveReadOnly: 'Disabled' },
      { name: 'c', mountPath: '/c' },
    ])
  })

  test('reports the actual resources while it runs', () => {
    const linux = { cpuPeriod: 100_000, cpuQuota: 6_000, cpuShares: 30, memoryLimitInBytes: 32 * 1024 * 1024 }
    const resources = { linux, windows: undefined } as ObservedContainer['resources']
    const asked = { requests: { cpu: '20m', memory: '16Mi' }, limits: { cpu: '50m', memory: '16Mi' } }
    const of = pod({ containers: [container('c', { resources: asked })] })
    const status = only(lastStatus(of, [runs(observed('c', 'running', { resources }))]))
    assert.deepEqual(status.resources, {
      requests: { cpu: '30m', memory: '16Mi' },
      limits: { cpu: '60m', memory: '32Mi' },
    })
    assert.deepEqual(status.allocatedResources, asked.requests)
    assert.deepEqual(only(lastStatus(of, [runs(exits(0))])).resources, asked)
  })
})

describe('readiness', () => {
  const probe = { exec: { command: ['x'] } }
  const probed = pod({ containers: [container('c', { readinessProbe: probe, startupProbe: probe })] })
  const look = (readiness?: boolean, startup?: boolean) => ({
    ...runs(observed('c', 'running')),
    probes: probes(readiness, startup),
  })

  test('depends on probes after the container has started', () => {
    const rows = [
      [undefined, undefined, false, false],
      [true, undefined, false, false],
      [true, false, false, false],
      [false, true, true, false],
      [undefined, true, true, false],
      [true, true, true, true],
    ] as const
    for (const [readiness, startup, started, ready] of rows) {
      const status = only(lastStatus(probed, [look(readiness, startup)]))
      assert.deepEqual([status.started, status.ready], [started, ready])
    }
  })

  test('is kept until a probe has a result', () => {
    const status = lastStatus(probed, [look(true, true), look()])
    assert.equal(conditionOf(status, 'Ready')?.status, 'True')
    const another = runs(observed('c', 'running', { restartCount: 1 }))
    assert.equal(only(lastStatus(probed, [look(true, true), { ...another, probes: probes() }])).ready, false)
  })

  test('needs every readiness gate', () => {
    const gated = pod({ readinessGates: [{ conditionType: 'a/b' }, { conditionType: 'a/c' }] })
    const conditions = [{ type: 'a/c', status: 'False' as const }]
    const ready = conditionOf(
      lastStatus({ ...gated, status: { conditions } }, [runs(observed('c', 'running'))]),
      'Ready',
    )
    assert.equal(ready?.reason, 'ReadinessGatesNotReady')
    assert.equal(
      ready?.message,
      'corresponding condition of pod readiness gate "a/b" does not exist., the status of pod readiness gate "a/c" is not "True", but False',
    )
  })
})
