import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { harnessTime, KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { Pod } from '../pod.js'

const trial = new KindHarness<Pod>('core/v1.Pod')
const app = { name: 'app', image: 'nginx:1' }
const body = (spec: object, rest: object) => ({ spec: { containers: [app], ...spec }, ...rest })
const written = (spec: object = {}, rest: object = {}) => trial.create(body(spec, rest))
const created = (spec: object = {}, rest: object = {}): Pod => written(spec, rest).object
const said = (spec: object = {}, rest: object = {}): Pod => trial.decode(body(spec, rest))

describe('a new pod', () => {
  test('is Pending, whatever the client sent', () => {
    const { object: pod, errors } = written({}, { status: { phase: 'Running', podIP: '10.0.0.1' } })
    assert.deepEqual(pod.status, { phase: 'Pending', qosClass: 'BestEffort' })
    assert.deepEqual(errors, [])
  })

  test('with scheduling gates has a condition', () =>
    assert.deepEqual(created({ schedulingGates: [{ name: 'a' }] }).status.conditions, [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: harnessTime,
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ]))

  test('merges values of its own labels into its selectors', () => {
    const term = {
      topologyKey: 'zone',
      labelSelector: { matchLabels: { app: 'a' } },
      matchLabelKeys: ['revision', 'absent'],
      mismatchLabelKeys: ['tenant'],
    }
    const { object: pod, errors } = written(
      {
        affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'zone',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: {},
            matchLabelKeys: ['revision'],
          },
        ],
      },
      { metadata: { name: 'p', labels: { revision: '7', tenant: 'x' } } },
    )
    const merged = pod.spec.affinity!.podAntiAffinity!.requiredDuringSchedulingIgnoredDuringExecution![0]!
    const revision = { key: 'revision', operator: 'In', values: ['7'] }
    assert.deepEqual(merged.labelSelector!.matchExpressions, [
      revision,
      { key: 'tenant', operator: 'NotIn', values: ['x'] },
    ])
    assert.deepEqual(pod.spec.topologySpreadConstraints![0]!.labelSelector, { matchExpressions: [revision] })
    assert.deepEqual(errors, [])
  })

  test('loses fields of disabled features', () =>
    assert.equal(created({ schedulingGroup: { podGroupName: 'a' } }).spec.schedulingGroup, undefined))

  test('takes AppArmor profiles from annotations, with a warning', () => {
    const key = 'container.apparmor.security.beta.kubernetes.io/app'
    const annotated = (value: string, spec: object = {}) =>
      written(spec, { metadata: { name: 'p', annotations: { [key]: value } } })
    const { object: pod, warnings } = annotated('localhost/strict')
    assert.deepEqual(pod.spec.containers[0]!.securityContext, {
      appArmorProfile: { type: 'Localhost', localhostProfile: 'strict' },
    })
    const warning = `metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`
    assert.deepEqual(warnings, [warning])
    const agreed = annotated('unconfined', { securityContext: { appArmorProfile: { type: 'Unconfined' } } })
    assert.equal(agreed.object.spec.containers[0]!.securityContext, undefined)
    assert.deepEqual(agreed.warnings, [])
    assert.deepEqual(annotated('who?').errors, [
      `metadata.annotations[${key}]: Invalid value: "who?": invalid AppArmor profile name: "who?"`,
    ])
    const quarrel = [{ ...app, securityContext: { appArmorProfile: { type: 'Unconfined' } } }]
    assert.deepEqual(annotated('runtime/default', { containers: quarrel }).errors, [
      'spec.containers[0].securityContext.appArmorProfile.type: Forbidden: apparmor type in annotation and field must match',
    ])
  })

  test('has no ephemeral containers, and no node while it has scheduling gates', () =>
    assert.deepEqual(
      written({
        nodeName: 'n',
        schedulingGates: [{ name: 'a' }],
        ephemeralContainers: [{ name: 'd', image: 'busybox' }],
      }).errors,
      [
        'spec.ephemeralContainers: Forbidden: cannot be set on create',
        'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
      ],
    ))

  test('has no token without a service account, and images without spaces', () =>
    assert.deepEqual(
      written({
        containers: [{ name: 'app', image: ' nginx' }],
        volumes: [{ name: 't', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }],
      }).errors,
      [
        'spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
        'spec.containers[0].image: Invalid value: " nginx": must not have leading or trailing whitespace',
      ],
    ))

  test('has valid annotations', () =>
    assert.deepEqual(
      written(
        {},
        {
          metadata: {
            name: 'p',
            annotations: {
              'container.seccomp.security.alpha.kubernetes.io/app': 'none',
              'controller.kubernetes.io/pod-deletion-cost': '+5',
              'kubernetes.io/config.mirror': 'x',
            },
          },
        },
      ).errors,
      [
        'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
        'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+5": must be a 32bit integer',
        'metadata.annotations.container.seccomp.security.alpha.kubernetes.io/app: Invalid value: "none": must be a valid seccomp profile',
      ],
    ))

  test('gets warnings once', () => {
    const { object: pod, warnings } = written(
      {
        nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'failure-domain.beta.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
        ],
        hostAliases: [{ ip: '127.0.0.1' }, { ip: '127.0.0.1' }],
        imagePullSecrets: [{ name: 'a' }, { name: '' }],
        affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] } },
      },
      { metadata: { name: 'a.b', annotations: { 'scheduler.alpha.kubernetes.io/critical-pod': '' } } },
    )
    assert.deepEqual(warnings, [
      "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
      'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
      'spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
      'spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod',
      'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
      'spec.hostAliases[1].ip: duplicate ip "127.0.0.1"',
      'spec.imagePullSecrets[1].name: invalid empty name ""',
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod',
    ])
    assert.deepEqual(trial.update(pod, {}).warnings, [])
  })
})

describe('the deletion of a pod', () => {
  const gracePeriod = (spec: object, phase = 'Running', asked?: number) =>
    trial.strategy.deletion!.gracePeriod!({ ...said(spec), status: { phase: phase as never } }, asked)

  test('waits for its node', () => {
    assert.equal(gracePeriod({}), 0, 'no node')
    assert.equal(gracePeriod({ nodeName: 'n' }), 30, 'of the spec')
    assert.equal(gracePeriod({ nodeName: 'n' }, 'Running', 5), 5, 'asked for')
    assert.equal(gracePeriod({ nodeName: 'n' }, 'Running', 0), 0)
    assert.equal(gracePeriod({ nodeName: 'n' }, 'Running', -7), 1, 'negative')
    assert.equal(gracePeriod({ nodeName: 'n' }, 'Succeeded', 5), 0, 'over already')
  })
})

test('pods can be selected by node, phase and other fields', () => {
  const pod = said({ nodeName: 'n', hostNetwork: true }, { status: { phase: 'Running', podIP: '10.0.0.1' } })
  const values = Object.fromEntries(Object.entries(trial.strategy.fields!).map(([name, read]) => [name, read(pod)]))
  assert.deepEqual(values, {
    'spec.nodeName': 'n',
    'spec.host': 'n',
    'spec.restartPolicy': 'Always',
    'spec.schedulerName': 'default-scheduler',
    'spec.serviceAccountName': '',
    'spec.hostNetwork': 'true',
    'status.phase': 'Running',
    'status.podIP': '10.0.0.1',
    'status.podIPs': '',
    'status.nominatedNodeName': '',
  })
})
