import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Container } from '../../api/core/v1/container.js'
import type { Node } from '../../api/core/v1/node.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { admit, startObstacle } from './admission.js'
import type { AdmissionContext } from './pod-admission.js'

function node(
  parts: Partial<AdmissionContext> = {},
  object: { labels?: object; taints?: object[]; status?: object } = {},
): AdmissionContext {
  const allocatable = { cpu: '2', memory: '1Gi', pods: '3', 'ephemeral-storage': '10Gi', 'example.com/gpu': '1' }
  return {
    node: {
      metadata: { name: 'here', labels: { disk: 'ssd', ...object.labels } },
      spec: { taints: object.taints },
      status: { allocatable, ...object.status },
    } as unknown as Node,
    kernelVersion: '5.10.0-33-amd64',
    unsafeSysctls: [],
    hasAppArmor: false,
    ...parts,
  }
}

let count = 0

function pod(spec: Partial<PodSpec> = {}, parts: { metadata?: object; status?: object } = {}): Pod {
  return {
    metadata: { name: 'p', namespace: 'default', uid: `uid-${count++}`, ...parts.metadata },
    spec: { nodeName: 'here', containers: [container()], ...spec },
    status: parts.status ?? {},
  } as unknown as Pod
}

function container(parts: Partial<Container> = {}): Container {
  return { name: 'c', image: 'i', ...parts } as Container
}

const asks = (requests: Record<string, string>) => pod({ containers: [container({ resources: { requests } })] })
const guaranteed = (cpu: string, init: readonly Container[] = []) =>
  pod({ initContainers: init, containers: [container({ resources: whole(cpu) })] })
const whole = (cpu: string) => ({ requests: { cpu, memory: '1Mi' }, limits: { cpu, memory: '1Mi' } })
const sysctl = (name: string, spec: Partial<PodSpec> = {}) =>
  pod({ securityContext: { sysctls: [{ name, value: '1' }] }, ...spec })
const port = (hostPort: number, parts: object = {}) =>
  pod({ containers: [container({ ports: [{ containerPort: 80, hostPort, ...parts }] })] })

/** Returns `Reason: message`, or '' for an admitted pod. */
function told(of: Pod, others: readonly Pod[] = [], on = node()): string {
  const failure = admit(of, others, on)
  return failure ? `${failure.reason}: ${failure.message}` : ''
}

const notEnough = (name: string, requested: number, used: number, capacity: number) =>
  `OutOf${name}: Node didn't have enough resource: ${name}, requested: ${requested}, used: ${used}, capacity: ${capacity}`

describe('resources', () => {
  test('each requested resource must be free', () => {
    assert.equal(told(asks({ cpu: '4' })), notEnough('cpu', 4000, 0, 2000))
    assert.equal(told(asks({ cpu: '1500m' }), [asks({ cpu: '600m' })]), notEnough('cpu', 1500, 600, 2000))
    assert.equal(told(asks({ memory: '2Gi' })), notEnough('memory', 2147483648, 0, 1073741824))
    assert.equal(
      told(asks({ 'ephemeral-storage': '11Gi' })),
      notEnough('ephemeral-storage', 11811160064, 0, 10737418240),
    )
    assert.equal(told(asks({ 'example.com/gpu': '2' })), notEnough('example.com/gpu', 2, 0, 1))
    assert.equal(told(asks({ 'hugepages-2Mi': '2Mi' })), notEnough('hugepages-2Mi', 2097152, 0, 0))
    assert.equal(told(asks({ cpu: '2', memory: '1Gi' })), '')
  })

  test('the number of pods is checked first, and an admitted pod does not count against itself', () => {
    const others = [pod(), pod(), pod()]
    assert.equal(told(asks({ cpu: '4' }), others), notEnough('pods', 1, 3, 3))
    assert.equal(told(others[0]!, others), '')
  })

  test('extended resources that the node does not have are ignored', () =>
    assert.equal(told(asks({ 'example.com/cloud': '7' })), ''))

  test('overhead, sidecars and pod-level requests count', () => {
    const overhead = pod({
      overhead: { cpu: '1500m' },
      containers: [container({ resources: { requests: { cpu: '1' } } })],
    })
    assert.equal(told(overhead), notEnough('cpu', 2500, 0, 2000))
    const sidecar = container({ name: 's', restartPolicy: 'Always', resources: { requests: { cpu: '1500m' } } })
    const besides = pod({
      initContainers: [sidecar],
      containers: [container({ resources: { requests: { cpu: '1' } } })],
    })
    assert.equal(told(besides), notEnough('cpu', 2500, 0, 2000))
    assert.equal(told(pod({ resources: { requests: { cpu: '3' } } })), notEnough('cpu', 3000, 0, 2000))
  })
})

describe('scheduling predicates', () => {
  const affinity = "NodeAffinity: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector"
  const taint = "TaintToleration: Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate"
  const noExecute = node({}, { taints: [{ key: 'k', effect: 'NoExecute' }] })

  test('the labels must match', () => {
    assert.equal(told(pod({ nodeSelector: { disk: 'tape' } })), affinity)
    assert.equal(told(pod({ nodeSelector: { disk: 'ssd' } })), '')
    const terms = [{ matchExpressions: [{ key: 'disk', operator: 'NotIn', values: ['ssd'] }] }]
    const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } }
    assert.equal(told(pod({ affinity: { nodeAffinity: required } } as Partial<PodSpec>)), affinity)
  })

  test('a pod that has started stays, even if labels and taints of the node changed', () => {
    const begun = { status: { startTime: '2026-01-01T00:00:00Z' } }
    assert.equal(told(pod({ nodeSelector: { disk: 'tape' } }, begun)), '')
    assert.equal(told(pod({}, begun), [], noExecute), '')
  })

  test('the node name must match', () =>
    assert.equal(
      told(pod({ nodeName: 'there' })),
      "NodeName: Predicate NodeName failed: node(s) didn't match the requested node name",
    ))

  test('a host port has one user', () => {
    const taken = "NodePorts: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports"
    assert.equal(told(port(80), [port(80)]), taken)
    assert.equal(told(port(80, { hostIP: '127.0.0.1' }), [port(80)]), taken)
    assert.equal(told(port(80, { protocol: 'UDP' }), [port(80)]), '')
    assert.equal(told(port(80, { hostIP: '127.0.0.1' }), [port(80, { hostIP: '127.0.0.2' })]), '')
  })

  test('only NoExecute taints count, and not for static pods', () => {
    assert.equal(told(pod(), [], noExecute), taint)
    assert.equal(told(pod({ tolerations: [{ key: 'k', operator: 'Exists' }] }), [], noExecute), '')
    assert.equal(told(pod(), [], node({}, { taints: [{ key: 'k', effect: 'NoSchedule' }] })), '')
    const annotations = { 'kubernetes.io/config.source': 'file' }
    assert.equal(told(pod({}, { metadata: { annotations } }), [], noExecute), '')
  })
})

test('the operating system must match', () => {
  assert.equal(
    told(pod({}, { metadata: { labels: { 'kubernetes.io/os': 'windows' } } })),
    "PodOSSelectorNodeLabelDoesNotMatch: Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
  )
  assert.equal(
    told(pod({ os: { name: 'windows' } })),
    "PodOSNotSupported: Failed to admit pod as the OS field doesn't match node OS",
  )
  assert.equal(told(pod({ os: { name: 'linux' } })), '')
})

test('strict supplemental groups need a runtime that supports them', () => {
  const strict = pod({ securityContext: { supplementalGroupsPolicy: 'Strict' } })
  assert.equal(
    told(strict),
    'SupplementalGroupsPolicyNotSupported: SupplementalGroupsPolicy=Strict is not supported in this node',
  )
  assert.equal(
    told(
      strict,
      [],
      node({}, { status: { allocatable: { pods: '1' }, features: { supplementalGroupsPolicy: true } } }),
    ),
    '',
  )
})

test('sysctls must be safe or allowed, and not shared with the host', () => {
  const forbidden = (why: string) => `SysctlForbidden: forbidden sysctl: ${why}`
  assert.equal(told(sysctl('net.ipv4.tcp_syncookies')), '')
  assert.equal(told(sysctl('net/ipv4/tcp_syncookies')), '')
  assert.equal(told(sysctl('net.core.somaxconn')), forbidden('"net.core.somaxconn" not allowlisted'))
  assert.equal(told(sysctl('net.core.somaxconn'), [], node({ unsafeSysctls: ['net.*'] })), '')
  assert.equal(told(sysctl('kernel.msgmax'), [], node({ unsafeSysctls: ['kernel.msg*'] })), '')
  assert.equal(
    told(sysctl('net.ipv4.tcp_syncookies', { hostNetwork: true })),
    forbidden('"net.ipv4.tcp_syncookies" not allowed with host Net enabled'),
  )
  assert.equal(
    told(sysctl('kernel.shm_rmid_forced', { hostIPC: true })),
    forbidden('"kernel.shm_rmid_forced" not allowed with host IPC enabled'),
  )
  assert.equal(told(sysctl('net.ipv4.tcp_rmem')), '')
  assert.equal(
    told(sysctl('net.ipv4.tcp_rmem'), [], node({ kernelVersion: '4.9.0' })),
    forbidden('"net.ipv4.tcp_rmem" not allowlisted'),
  )
})

test('exclusive CPUs are limited', () => {
  const on = node({ wholeCores: 2 }, { status: { allocatable: { cpu: '9', memory: '1Gi', pods: '9' } } })
  const short = (requested: number, available: number) =>
    `UnexpectedAdmissionError: Allocate failed due to not enough cpus available to satisfy request: requested=${requested}, available=${available}, which is unexpected`
  assert.equal(told(guaranteed('2'), [], on), '')
  assert.equal(told(guaranteed('3'), [], on), short(3, 2))
  assert.equal(told(guaranteed('2'), [guaranteed('1')], on), short(2, 1))
  assert.equal(told(guaranteed('1500m'), [guaranteed('2')], on), '')
  assert.equal(told(asks({ cpu: '3' }), [], on), '')
  const init = container({ name: 'i', resources: whole('2') })
  assert.equal(told(guaranteed('2', [init]), [], on), '')
  const sidecar = { ...init, restartPolicy: 'Always' } as Container
  assert.equal(told(guaranteed('2', [sidecar]), [], on), short(2, 0))
})

describe('start obstacles', () => {
  const confined = (type: 'RuntimeDefault' | 'Unconfined', status = {}) =>
    pod({ securityContext: { appArmorProfile: { type } } }, { status })

  test('AppArmor on a host without it', () => {
    const obstacle = { reason: 'AppArmor', message: 'Cannot enforce AppArmor: AppArmor is not enabled on the host' }
    assert.deepEqual(startObstacle(confined('RuntimeDefault'), node()), obstacle)
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default' }
    assert.deepEqual(startObstacle(pod({}, { metadata: { annotations } }), node()), obstacle)
    assert.equal(startObstacle(confined('RuntimeDefault'), node({ hasAppArmor: true })), undefined)
    assert.equal(startObstacle(confined('Unconfined'), node()), undefined)
    assert.equal(startObstacle(confined('RuntimeDefault', { phase: 'Running' }), node()), undefined)
  })

  test('a kernel without no_new_privs', () => {
    const modest = pod({ containers: [container({ securityContext: { allowPrivilegeEscalation: false } })] })
    assert.equal(startObstacle(modest, node()), undefined)
    assert.equal(startObstacle(modest, node({ kernelVersion: '2.6.32' }))?.reason, 'NoNewPrivs')
    assert.equal(startObstacle(pod(), node({ kernelVersion: '2.6.32' })), undefined)
  })
})
