/** Compares statuses with those that a real v1.36 kubelet wrote. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import {
  begun,
  container,
  created,
  goneSandbox,
  image,
  lastStatus,
  observed,
  over,
  pod,
  recordedStatus,
  runs,
  sandbox,
  seen,
  shown,
  uid,
  waits,
} from './pod-status-input.test.kit.js'

type Looks = Parameters<typeof lastStatus>[1]

interface Case {
  readonly scenario: string
  readonly label?: string
  /** Name of the pod, if several were recorded. */
  readonly name?: string
  readonly of: Pod
  readonly looks: Looks
  readonly mask?: readonly string[]
}

const once = (spec: Partial<Pod['spec']> = {}) => pod({ restartPolicy: 'Never', ...spec })
const mount = { volumeMounts: [{ name: 'v', mountPath: '/v' }] }
const asked = (requests: Record<string, string>, limits?: Record<string, string>) => ({
  resources: { requests, ...(limits && { limits }) },
})

const succeeded: Looks = [created, begun, runs(observed('c', 'running')), ...over(observed('c', 'exited'))]
const deleted = (of: Pod): Pod => ({
  ...of,
  metadata: { ...of.metadata, generation: 2, deletionTimestamp: '2026-05-01T10:00:10Z', deletionGracePeriodSeconds: 0 },
})
const backOff = (name: string, of = 'p') =>
  waits(name, 'CrashLoopBackOff', `back-off 10s restarting failed container=${name} pod=${of}_default(${uid})`)
const configError = (message: string) => [
  created,
  begun,
  { ...begun, ...waits('c', 'CreateContainerConfigError', message) },
]
const setUp = (name: string) => container(name, mount)

const cases: readonly Case[] = [
  { scenario: 'success', of: once(), looks: succeeded },
  {
    scenario: 'running, then deleted gracefully',
    label: 'running',
    of: pod({}),
    looks: [created, begun, runs(observed('c', 'running'))],
  },
  {
    scenario: 'crash loop',
    of: pod({}),
    looks: [
      created,
      runs(observed('c', 'exited', { exitCode: 7 })),
      {
        ...runs(observed('c', 'exited', { exitCode: 7, restartCount: 1 }), observed('c', 'exited', { exitCode: 7 })),
        ...backOff('c'),
      },
    ],
    mask: ['restartCount'],
  },
  {
    scenario: 'restart policies and phases',
    name: 'never',
    of: once(),
    looks: over(observed('c', 'exited', { exitCode: 3 })),
  },
  {
    scenario: 'restart policies and phases',
    name: 'onfailure',
    of: pod({ restartPolicy: 'OnFailure', containers: [container('c', mount)] }),
    looks: [
      runs(observed('c', 'exited', { exitCode: 4 })),
      ...over(observed('c', 'exited', { restartCount: 1 }), observed('c', 'exited', { exitCode: 4 })),
    ],
  },
  {
    scenario: 'restart policies and phases',
    name: 'mixed',
    of: once({ containers: [container('good'), container('bad')] }),
    looks: over(observed('good', 'exited'), observed('bad', 'exited', { exitCode: 5 })),
  },
  {
    scenario: 'restart policies and phases',
    name: 'half',
    of: once({ containers: [container('gone'), container('stays')] }),
    looks: [created, runs(observed('gone', 'exited', { exitCode: 1 }), observed('stays', 'running'))],
  },
  {
    scenario: 'init containers',
    of: once({ initContainers: [setUp('i1'), setUp('i2')], containers: [setUp('c')] }),
    looks: [
      created,
      runs(observed('i1', 'running')),
      runs(observed('i2', 'running'), observed('i1', 'exited')),
      ...over(observed('c', 'exited'), observed('i2', 'exited'), observed('i1', 'exited')),
    ],
  },
  {
    scenario: 'init containers: a failing one',
    name: 'always',
    of: pod({ initContainers: [container('i1')] }),
    looks: [
      created,
      runs(observed('i1', 'exited', { exitCode: 2 })),
      { ...runs(observed('i1', 'exited', { exitCode: 2, restartCount: 1 })), ...backOff('i1', 'always') },
    ],
    mask: ['restartCount'],
  },
  {
    scenario: 'init containers: a failing one',
    name: 'never',
    of: once({ initContainers: [container('i1'), container('i2')] }),
    looks: [created, ...over(observed('i1', 'exited', { exitCode: 2 }))],
    mask: ['restartCount'],
  },
  {
    scenario: 'sidecar containers',
    of: once({ initContainers: [container('side', { restartPolicy: 'Always' }), container('i')] }),
    looks: [
      created,
      runs(observed('side', 'running')),
      runs(observed('c', 'running'), observed('i', 'exited'), observed('side', 'running')),
      runs(observed('c', 'exited'), observed('i', 'exited'), observed('side', 'running')),
      ...over(observed('c', 'exited'), observed('i', 'exited'), observed('side', 'exited')),
    ],
  },
  {
    scenario: 'readiness probe and readiness gate',
    label: 'not ready',
    of: pod({
      containers: [container('c', { readinessProbe: { exec: { command: ['cat'] } } })],
      readinessGates: [{ conditionType: 'example.com/gate' }],
    }),
    looks: [created, begun, runs(observed('c', 'running'))],
  },
  {
    scenario: 'security contexts',
    label: 'refused',
    of: pod({}),
    looks: configError(
      `container has runAsNonRoot and image will run as root (pod: "root_default(${uid})", container: c)`,
    ),
  },
  {
    scenario: 'configuration errors',
    name: 'nokey',
    of: pod({}),
    looks: configError("couldn't find key b in Secret default/s"),
  },
  {
    scenario: 'volumes that are missing',
    name: 'map',
    of: pod({ containers: [container('c', mount)] }),
    looks: [created, created],
  },
  {
    scenario: 'out of memory',
    name: 'p1',
    of: once({ containers: [container('c', asked({ memory: '20Mi' }, { memory: '20Mi' }))] }),
    looks: [created, ...over(observed('c', 'exited', { exitCode: 137, reason: 'OOMKilled' }))],
    mask: ['reason'],
  },
  {
    scenario: 'active deadline',
    of: pod({}),
    looks: [
      created,
      runs(observed('c', 'running')),
      { ...runs(observed('c', 'running')), failure: deadline(), isTerminating: true },
      { observed: seen([observed('c', 'exited')], [goneSandbox]), failure: deadline(), isTerminated: true },
    ],
  },
  {
    scenario: 'ephemeral container',
    of: pod({ ephemeralContainers: [{ name: 'dbg', image, resources: {} }] }, { generation: 2 }),
    looks: [
      { ...created, pod: pod({}) },
      { ...runs(observed('c', 'running')), pod: pod({}) },
      runs(observed('dbg', 'exited'), observed('c', 'running')),
    ],
  },
  {
    scenario: 'resize of cpu',
    label: 'before',
    of: pod({
      containers: [container('c', asked({ cpu: '20m', memory: '16Mi' }, { cpu: '50m', memory: '16Mi' }))],
    }),
    looks: [created, begun, runs(observed('c', 'running'))],
  },
  {
    scenario: 'static pod and its mirror',
    label: 'mirror',
    name: 'static-<node>',
    of: {
      ...pod({}),
      metadata: {
        name: 'static-node',
        namespace: 'default',
        uid: 'a'.repeat(32),
        annotations: { 'kubernetes.io/config.source': 'file' },
      },
    } as Pod,
    looks: [created, begun, runs(observed('c', 'running'))],
  },
]

function deadline() {
  const message = 'Pod was active on the node longer than the specified deadline'
  return { phase: 'Failed', reason: 'DeadlineExceeded', message } as const
}

for (const { scenario, label = 'status', name, of, looks, mask } of cases)
  test(`${scenario}: ${name ?? label}`, () => {
    assert.deepEqual(shown(lastStatus(of, looks), mask), recordedStatus(scenario, label, name))
  })

test('after a deletion, a completed container makes the pod succeed', () => {
  const of = pod({})
  const running = [created, begun, runs(observed('c', 'running'))]
  const { podIP, podIPs, ...status } = lastStatus(of, [
    ...running,
    { ...over(observed('c', 'exited'))[1], pod: deleted(of) },
  ]) as PodStatus
  assert.equal(podIP, '10.1.2.3')
  assert.deepEqual(shown(status), recordedStatus('running, then deleted gracefully', 'after deletion'))
})

test('a condition of another writer opens a readiness gate, and stays', () => {
  const probed = container('c', { readinessProbe: { exec: { command: ['cat'] } } })
  const of = pod({ containers: [probed], readinessGates: [{ conditionType: 'example.com/gate' }] })
  const gate = { type: 'example.com/gate', status: 'True', lastTransitionTime: null } as never
  const status = lastStatus(of, [
    created,
    runs(observed('c', 'running')),
    { ...runs(observed('c', 'running')), pod: { ...of, status: { conditions: [gate] } } },
  ])
  assert.deepEqual(shown(status), recordedStatus('readiness probe and readiness gate', 'gate open'))
})

test('images that cannot be pulled', () => {
  const of = pod({ containers: [container('c', { image: 'localhost:5999/none:2' })] })
  const why = waits(
    'c',
    'ErrImageNeverPull',
    'Container image "localhost:5999/none:2" is not present with pull policy of Never',
  )
  const status = lastStatus(of, [created, { observed: seen([], [sandbox]), ...why }])
  const { phase, conditions, containerStatuses } = shown(status) as Record<string, unknown>
  const recorded = recordedStatus('images that cannot be had', 'status', 'never')
  assert.deepEqual({ metadata: { name: 'never' }, phase, conditions, containerStatuses }, recorded)
})

test('QoS classes and resources of containers', () => {
  const rows = [
    ['best', {}],
    ['burst', asked({ cpu: '10m' })],
    ['guaranteed', asked({ cpu: '10m', memory: '16Mi' }, { cpu: '10m', memory: '16Mi' })],
  ] as const
  for (const [name, parts] of rows) {
    const { qosClass, containerStatuses } = lastStatus(once({ containers: [container('c', parts)] }), succeeded)
    const { allocatedResources: allocated, resources } = containerStatuses![0]!
    const told = { metadata: { name }, qos: qosClass, ...(allocated && { allocated }), resources }
    assert.deepEqual(told, recordedStatus('quality of service', 'classes', name))
  }
})

test('parts of a status: killed after its grace period, and many mounts', () => {
  const of = pod({ containers: [container('c', mount)] })
  const killed = lastStatus(of, [
    runs(observed('c', 'running')),
    { ...over(observed('c', 'exited', { exitCode: 137 }))[1], pod: deleted(of) },
  ])
  const part = ({ phase, qosClass, containerStatuses }: PodStatus) =>
    shown({ phase, qosClass, containerStatuses } as PodStatus)
  const { qosClass: _, ...told } = part(killed) as Record<string, unknown>
  assert.deepEqual(told, recordedStatus('killed after its grace period, preStop runs first', 'after deletion'))
  const paths = { all: '/all', map: '/one/file', mem: '/mem', items: '/items' }
  const volumeMounts = [...Object.entries(paths), ['mem', '/sub'] as const].map(([name, mountPath]) => ({
    name,
    mountPath,
  }))
  const limits = { cpu: '100m', memory: '32Mi' }
  const many = container('c', { volumeMounts, ...asked(limits, limits) })
  assert.deepEqual(
    part(lastStatus(once({ containers: [many] }), succeeded)),
    recordedStatus('volumes: contents', 'status'),
  )
})
