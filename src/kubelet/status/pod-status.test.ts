import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Container } from '../../api/core/v1/container.js'
import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { podStatus } from './pod-status.js'
import type { PodStatusInput } from './pod-status-input.js'
import {
  container,
  goneSandbox,
  input,
  lastStatus,
  observed,
  pod,
  runs,
  sandbox,
  seen,
  start,
} from './pod-status-input.test.kit.js'

const only = ({ containerStatuses }: PodStatus) => containerStatuses![0]!
const conditionOf = ({ conditions }: PodStatus, type: string) => conditions?.find((one) => one.type === type)
const exits = (exitCode: number) => observed('c', 'exited', { exitCode })

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

  test('a pod with a sidecar that has not started is pending, unless it has run before', () => {
    const side = container('side', { restartPolicy: 'Always', startupProbe: { exec: { command: ['x'] } } })
    const of = pod({ initContainers: [side] })
    assert.equal(lastStatus(of, [runs(observed('side', 'running'))]).phase, 'Pending')
    const both = runs(observed('c', 'running'), observed('side', 'running'))
    assert.equal(lastStatus(of, [both]).phase, 'Running')
  })

  test('a final phase is withheld while a container runs', () => {
    const failure = { phase: 'Failed', reason: 'Evicted', message: 'why' } as const
    const looks = [runs(observed('c', 'running')), { ...runs(observed('c', 'running')), failure, isTerminating: true }]
    const ending = lastStatus(pod({}), looks)
    assert.deepEqual([ending.phase, ending.reason], ['Running', undefined])
    assert.equal(conditionOf(ending, 'Ready')?.reason, 'PodFailed')
    const ended = lastStatus(pod({}), [...looks, { ...runs(exits(0)), failure, isTerminated: true }])
    assert.deepEqual([ended.phase, ended.reason, ended.message], ['Failed', 'Evicted', 'why'])
  })

  test('a static pod never finishes', () => {
    const of = pod({}, { annotations: { 'kubernetes.io/config.source': 'file' } })
    assert.equal(lastStatus(of, [{ ...runs(exits(0)), isTerminated: true }]).phase, 'Running')
  })

  test('a final phase in the API stays', () => {
    const of = { ...pod({}), status: { phase: 'Failed', reason: 'NodeShutdown' } } as Pod
    const status = podStatus(input({ pod: of, ...runs(observed('c', 'running')), previous: { phase: 'Running' } }))
    assert.deepEqual([status.phase, status.reason], ['Failed', 'NodeShutdown'])
  })
})

describe('a rejected pod', () => {
  const failure = { phase: 'Failed', reason: 'OutOfcpu', message: 'Node didn’t', isRejection: true } as const
  const refused = podStatus(input({ pod: pod({}), failure }))

  test('has a reason and nothing else', () =>
    assert.deepEqual(refused, {
      observedGeneration: 1,
      startTime: '2026-05-01T10:00:00Z',
      qosClass: 'BestEffort',
      phase: 'Failed',
      reason: 'OutOfcpu',
      message: 'Pod was rejected: Node didn’t',
    }))

  test('keeps its status when the kubelet restarts', () =>
    assert.equal(podStatus(input({ pod: pod({}), previous: refused, isTerminated: true })), refused))
})

test('a blocked pod waits until the obstacle is gone', () => {
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

describe('conditions', () => {
  test('keep their transition times', () => {
    const looks = [{}, {}, runs(observed('c', 'running')), runs(observed('c', 'running'))]
    const since = (type: string) => conditionOf(lastStatus(pod({}), looks), type)?.lastTransitionTime
    assert.equal(since('PodScheduled'), '2026-05-01T10:00:00Z')
    assert.equal(since('Ready'), '2026-05-01T10:00:02Z')
  })

  test('of other writers, and a disruption that the kubelet set, stay', () => {
    const foreign = { type: 'example.com/x', status: 'Unknown' as const }
    const disruption = { type: 'DisruptionTarget' as const, status: 'True' as const, reason: 'TerminationByKubelet' }
    const of = { ...pod({}), status: { conditions: [foreign] } }
    const { conditions } = podStatus(input({ pod: of, previous: { conditions: [disruption] } }))
    assert.deepEqual(conditions?.slice(0, 2), [foreign, disruption])
  })

  test('the sandbox must be the only one, on the right network and with an address', () => {
    const ready = (parts: Partial<PodStatusInput>) =>
      conditionOf(podStatus(input({ pod: pod({}), ...parts })), 'PodReadyToStartContainers')?.status
    assert.equal(ready({ observed: seen([]) }), 'True')
    assert.equal(ready({ observed: seen([], [sandbox, { ...sandbox, id: 's0' }]) }), 'False')
    assert.equal(ready({ observed: seen([], [{ ...sandbox, addresses: [] }]) }), 'False')
    assert.equal(ready({ observed: seen([]), pod: pod({ hostNetwork: true }) }), 'False')
    const inHost = { ...sandbox, addresses: [], hasHostNetwork: true }
    assert.equal(ready({ observed: seen([], [inHost]), pod: pod({ hostNetwork: true }) }), 'True')
  })

  test('all containers restart by a rule', () => {
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
  const told = (parts: Partial<PodStatusInput>) =>
    podStatus(input({ pod: pod({}), ...parts })).podIPs?.map(({ ip }) => ip)

  test('one of each family, that of the node first', () => {
    const dual = seen([], [{ ...sandbox, addresses: both }])
    assert.deepEqual(told({ observed: dual }), ['10.1.2.3', 'fd00::1'])
    assert.deepEqual(told({ observed: dual, hostAddresses: ['fd00::9', '192.168.0.1'] }), ['fd00::1', '10.1.2.3'])
  })

  test("of a pod on the host network are the node's", () => {
    const of = pod({ hostNetwork: true })
    assert.deepEqual(told({ pod: of, hostAddresses: ['192.168.0.1', 'fd00::9'] }), ['192.168.0.1', 'fd00::9'])
  })

  test('are kept after the sandbox is gone, but not while a new one has none', () => {
    const previous = { podIPs: [{ ip: '10.1.2.3' }] }
    assert.deepEqual(told({ previous, observed: seen([], [goneSandbox]) }), ['10.1.2.3'])
    assert.equal(told({ previous, observed: seen([], [{ ...sandbox, addresses: [] }]) }), undefined)
  })
})

test('the resources of a running pod are those that its cgroup enforces', () => {
  const resources = { requests: { cpu: '1m', memory: '16Mi' }, limits: { cpu: '1' } }
  const of = pod({ containers: [container('c', { resources }), container('d')] })
  const before = podStatus(input({ pod: of }))
  assert.deepEqual(before.resources, { limits: { cpu: '1' }, requests: { cpu: '1m', memory: '16Mi' } })
  const running = lastStatus(of, [runs(observed('c', 'running'), observed('d', 'running'))])
  assert.deepEqual(running.resources, { requests: { memory: '16Mi' } })
  assert.deepEqual(running.allocatedResources, { cpu: '1m', memory: '16Mi' })
})

test('the start time never changes', () => {
  const status = lastStatus(pod({}), [{ now: start }, { now: start + 60_000 }])
  assert.equal(status.startTime, '2026-05-01T10:00:00Z')
})
