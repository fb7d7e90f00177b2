import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { PodStatus } from '../../api/core/v1/pod-status.js'
import type { ObservedContainer } from '../runtime/observed-pod.js'
import { podStatus } from './pod-status.js'
import type { Situation } from './situation.js'
import {
  container,
  goneSandbox,
  lastStatus,
  observed,
  pod,
  sandbox,
  seen,
  situation,
  start,
} from './situation.test.kit.js'

const runs = (...containers: readonly ObservedContainer[]) => ({ observed: seen(containers) })
const only = ({ containerStatuses }: PodStatus) => containerStatuses![0]!
const conditionOf = ({ conditions }: PodStatus, type: string) => conditions?.find((one) => one.type === type)
const exits = (exitCode: number) => observed('c', 'exited', { exitCode })
const probes = (readiness?: boolean, startup?: boolean): Situation['probes'] => ({
  readiness: () => readiness,
  startup: () => startup,
  liveness: () => undefined,
})

describe('phase', () => {
  const rule = (action: 'Restart' | 'RestartAllContainers') => [
    { action, exitCodes: { operator: 'In' as const, values: [42] } },
  ]
  const rows: readonly [policy: string, own: Partial<Container>, exitCode: number, phase: string][] = [
    ['Always', {}, 0, 'Running'],
    ['Always', {}, 1, 'Running'],
    ['OnFailure', {}, 0, 'Succeeded'],
    ['OnFailure', {}, 1, 'Running'],
    ['Never', {}, 0, 'Succeeded'],
    ['Never', {}, 1, 'Failed'],
    ['Never', { restartPolicy: 'OnFailure' }, 1, 'Running'],
    ['Always', { restartPolicy: 'Never' }, 1, 'Failed'],
    ['Never', { restartPolicy: 'Never', restartPolicyRules: rule('Restart') }, 42, 'Running'],
    ['Never', { restartPolicy: 'Never', restartPolicyRules: rule('Restart') }, 43, 'Failed'],
  ]
  for (const [restartPolicy, own, exitCode, phase] of rows)
    test(`${restartPolicy}${JSON.stringify(own)}, exit code ${exitCode}: ${phase}`, () => {
      const of = pod({ restartPolicy, containers: [container('c', own)] } as Partial<Pod['spec']>)
      assert.equal(lastStatus(of, [runs(exits(exitCode))]).phase, phase)
    })

  test('a pod with a sidecar that has yet to start is pending, unless it has run before', () => {
    const side = container('side', { restartPolicy: 'Always', startupProbe: { exec: { command: ['x'] } } })
    const of = pod({ initContainers: [side] })
    assert.equal(lastStatus(of, [runs(observed('side', 'running'))]).phase, 'Pending')
    const both = runs(observed('c', 'running'), observed('side', 'running'))
    assert.equal(lastStatus(of, [both]).phase, 'Running')
  })

  test('what is over is told only when nothing runs any more', () => {
    const verdict = { phase: 'Failed', reason: 'Evicted', message: 'why' } as const
    const looks = [runs(observed('c', 'running')), { ...runs(observed('c', 'running')), verdict, isTerminating: true }]
    const ending = lastStatus(pod({}), looks)
    assert.deepEqual([ending.phase, ending.reason], ['Running', undefined])
    assert.equal(conditionOf(ending, 'Ready')?.reason, 'PodFailed')
    const ended = lastStatus(pod({}), [...looks, { ...runs(exits(0)), verdict, isTerminated: true }])
    assert.deepEqual([ended.phase, ended.reason, ended.message], ['Failed', 'Evicted', 'why'])
  })

  test('a static pod is never over', () => {
    const of = pod({}, { annotations: { 'kubernetes.io/config.source': 'file' } })
    assert.equal(lastStatus(of, [{ ...runs(exits(0)), isTerminated: true }]).phase, 'Running')
  })

  test('what the API server says is over, is over', () => {
    const of = { ...pod({}), status: { phase: 'Failed', reason: 'NodeShutdown' } } as Pod
    const status = podStatus(situation({ pod: of, ...runs(observed('c', 'running')), previous: { phase: 'Running' } }))
    assert.deepEqual([status.phase, status.reason], ['Failed', 'NodeShutdown'])
  })
})

describe('a pod that this node refuses', () => {
  const verdict = { phase: 'Failed', reason: 'OutOfcpu', message: 'Node didn’t', isRefusal: true } as const
  const refused = podStatus(situation({ pod: pod({}), verdict }))

  test('tells why, and nothing else', () =>
    assert.deepEqual(refused, {
      observedGeneration: 1,
      startTime: '2026-05-01T10:00:00Z',
      qosClass: 'BestEffort',
      phase: 'Failed',
      reason: 'OutOfcpu',
      message: 'Pod was rejected: Node didn’t',
    }))

  test('stays as it is when the kubelet starts again', () =>
    assert.equal(podStatus(situation({ pod: pod({}), previous: refused, isTerminated: true })), refused))
})

test('a pod that something keeps from running waits, blocked, until it is gone', () => {
  const obstacle = { reason: 'AppArmor', message: 'Cannot enforce AppArmor: why' }
  const blocked = lastStatus(pod({}), [{ obstacle }])
  assert.deepEqual(
    [blocked.phase, blocked.reason, blocked.message],
    ['Pending', 'AppArmor', 'Cannot enforce AppArmor: why'],
  )
  assert.deepEqual(only(blocked).state, { waiting: { reason: 'Blocked' } })
  const free = lastStatus(pod({}), [{ obstacle }, {}])
  assert.deepEqual(
    [free.phase, free.reason, only(free).state?.waiting?.reason],
    ['Pending', undefined, 'ContainerCreating'],
  )
})

describe('a container', () => {
  test('that the runtime has lost is taken to have ended, and counted', () => {
    const status = only(lastStatus(pod({}), [runs(observed('c', 'running')), runs()]))
    assert.deepEqual(status.state, { waiting: { reason: 'ContainerCreating' } })
    assert.equal(status.restartCount, 1)
    assert.deepEqual(status.lastState?.terminated, {
      exitCode: 137,
      reason: 'ContainerStatusUnknown',
      message: 'The container could not be located when the pod was deleted.  The container used to be Running',
    })
  })

  test('of which the runtime knows no more than that it was there has ended, once', () => {
    const unknown = runs(observed('c', 'unknown'))
    for (const looks of [[unknown], [unknown, unknown]]) {
      const status = only(lastStatus(pod({ restartPolicy: 'Never' }), [runs(observed('c', 'running')), ...looks]))
      assert.equal(status.state?.terminated?.reason, 'ContainerStatusUnknown')
      assert.equal(status.restartCount, 1)
    }
  })

  test('that never ran when its pod ended has ended badly; one behind an init container waits on', () => {
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

  test('keeps what is known of its last end, though the runtime has thrown that away', () => {
    const second = observed('c', 'running', { restartCount: 1 })
    const status = only(lastStatus(pod({}), [runs(exits(3)), runs(second, exits(3)), runs(second)]))
    assert.equal(status.lastState?.terminated?.exitCode, 3)
    assert.equal(status.restartCount, 1)
  })

  test('that could not be started says how it ended before', () => {
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

  test('waits for nothing in a pod that is to go', () => {
    const waiting = new Map([['c', { reason: 'CrashLoopBackOff', message: '' }]])
    const of = pod({}, { deletionTimestamp: '2026-05-01T10:00:00Z' })
    assert.equal(only(lastStatus(of, [{ ...runs(exits(1)), waiting }])).state?.terminated?.exitCode, 1)
  })

  test('tells no more of its end than its share', () => {
    const of = pod({ initContainers: [container('i')], containers: [container('c'), container('d')] })
    const status = lastStatus(of, [runs(observed('c', 'exited', { message: 'ö'.repeat(4000) }))])
    assert.equal(Buffer.byteLength(only(status).state!.terminated!.message!), 4096)
  })

  test('tells who it is, and what became of its mounts', () => {
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

  test('tells what the runtime really gave it, while it runs', () => {
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

  test('is what probes say, after the container has started', () => {
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

  test('stays as it was told until a probe says something', () => {
    const status = lastStatus(probed, [look(true, true), look()])
    assert.equal(conditionOf(status, 'Ready')?.status, 'True')
    const another = runs(observed('c', 'running', { restartCount: 1 }))
    assert.equal(only(lastStatus(probed, [look(true, true), { ...another, probes: probes() }])).ready, false)
  })

  test('needs every gate', () => {
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

describe('conditions', () => {
  test('tell since when they are so', () => {
    const looks = [{}, {}, runs(observed('c', 'running')), runs(observed('c', 'running'))]
    const since = (type: string) => conditionOf(lastStatus(pod({}), looks), type)?.lastTransitionTime
    assert.equal(since('PodScheduled'), '2026-05-01T10:00:00Z')
    assert.equal(since('Ready'), '2026-05-01T10:00:02Z')
  })

  test('of others, and of a disruption that the kubelet told, stay', () => {
    const foreign = { type: 'example.com/x', status: 'Unknown' as const }
    const disruption = { type: 'DisruptionTarget' as const, status: 'True' as const, reason: 'TerminationByKubelet' }
    const of = { ...pod({}), status: { conditions: [foreign] } }
    const { conditions } = podStatus(situation({ pod: of, previous: { conditions: [disruption] } }))
    assert.deepEqual(conditions?.slice(0, 2), [foreign, disruption])
  })

  test('the sandbox must be one alone, in the right network and with an address', () => {
    const ready = (parts: Partial<Situation>) =>
      conditionOf(podStatus(situation({ pod: pod({}), ...parts })), 'PodReadyToStartContainers')?.status
    assert.equal(ready({ observed: seen([]) }), 'True')
    assert.equal(ready({ observed: seen([], [sandbox, { ...sandbox, id: 's0' }]) }), 'False')
    assert.equal(ready({ observed: seen([], [{ ...sandbox, addresses: [] }]) }), 'False')
    assert.equal(ready({ observed: seen([]), pod: pod({ hostNetwork: true }) }), 'False')
    const inHost = { ...sandbox, addresses: [], hasHostNetwork: true }
    assert.equal(ready({ observed: seen([], [inHost]), pod: pod({ hostNetwork: true }) }), 'True')
  })

  test('all containers start again by a rule of one', () => {
    const exitCodes = { operator: 'In' as const, values: [42] }
    const trigger = {
      restartPolicy: 'Never' as const,
      restartPolicyRules: [{ action: 'RestartAllContainers' as const, exitCodes }],
    }
    const of = pod({ restartPolicy: 'Never', containers: [container('c', trigger), container('d')] })
    const begun = [runs(observed('c', 'running'), observed('d', 'running')), runs(exits(42), observed('d', 'running'))]
    const restarting = lastStatus(of, begun)
    assert.equal(conditionOf(restarting, 'AllContainersRestarting')?.status, 'True')
    const cleared = lastStatus(of, [...begun, { observed: seen([]) }])
    assert.equal(conditionOf(cleared, 'AllContainersRestarting')?.status, 'False')
    assert.deepEqual(
      cleared.containerStatuses?.map(({ state, restartCount }) => [state?.waiting?.reason, restartCount]),
      [
        ['RestartingAllContainers', 1],
        ['RestartingAllContainers', 1],
      ],
    )
    assert.equal(cleared.phase, 'Running')
  })
})

describe('addresses', () => {
  const both = ['fd00::1', '10.1.2.3', 'fd00::2']
  const told = (parts: Partial<Situation>) =>
    podStatus(situation({ pod: pod({}), ...parts })).podIPs?.map(({ ip }) => ip)

  test('one of each family, that of the node first', () => {
    const dual = seen([], [{ ...sandbox, addresses: both }])
    assert.deepEqual(told({ observed: dual }), ['10.1.2.3', 'fd00::1'])
    assert.deepEqual(told({ observed: dual, hostAddresses: ['fd00::9', '192.168.0.1'] }), ['fd00::1', '10.1.2.3'])
  })

  test('of a pod in the network of the node are those of the node', () => {
    const of = pod({ hostNetwork: true })
    assert.deepEqual(told({ pod: of, hostAddresses: ['192.168.0.1', 'fd00::9'] }), ['192.168.0.1', 'fd00::9'])
  })

  test('are known after the sandbox is gone, and not while a new one has none', () => {
    const previous = { podIPs: [{ ip: '10.1.2.3' }] }
    assert.deepEqual(told({ previous, observed: seen([], [goneSandbox]) }), ['10.1.2.3'])
    assert.equal(told({ previous, observed: seen([], [{ ...sandbox, addresses: [] }]) }), undefined)
  })
})

test('while a pod runs, its resources are what its cgroup enforces', () => {
  const resources = { requests: { cpu: '1m', memory: '16Mi' }, limits: { cpu: '1' } }
  const of = pod({ containers: [container('c', { resources }), container('d')] })
  const before = podStatus(situation({ pod: of }))
  assert.deepEqual(before.resources, { limits: { cpu: '1' }, requests: { cpu: '1m', memory: '16Mi' } })
  const running = lastStatus(of, [runs(observed('c', 'running'), observed('d', 'running'))])
  assert.deepEqual(running.resources, { requests: { memory: '16Mi' } })
  assert.deepEqual(running.allocatedResources, { cpu: '1m', memory: '16Mi' })
})

test('since when the node has it does not change', () => {
  const status = lastStatus(pod({}), [{ now: start }, { now: start + 60_000 }])
  assert.equal(status.startTime, '2026-05-01T10:00:00Z')
})
