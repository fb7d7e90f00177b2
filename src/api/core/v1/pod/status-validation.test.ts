import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { Pod } from '../pod.js'

const trial = new KindHarness<Pod>('core/v1.Pod')

const pod = (status: object, spec: object = {}): Pod =>
  trial.decode({
    spec: { containers: [{ name: 'app', image: 'nginx:1' }], ...spec },
    status: { qosClass: 'BestEffort', ...status },
  })

const updated = (old: Pod, status: object) =>
  trial.update(old, (draft) => Object.assign(draft, { status: { ...draft.status, ...status } }), 'status')
const problems = (old: Pod, status: object) => updated(old, status).errors

const state = (name: string, exitCode?: number) => ({
  name,
  image: 'i',
  imageID: '',
  ready: false,
  restartCount: 0,
  state: exitCode === undefined ? { running: {} } : { terminated: { exitCode } },
})

describe('a status of a pod', () => {
  test('may change labels and annotations, but neither spec nor owners', () => {
    const old = pod({})
    const { object, errors } = trial.update(
      old,
      (draft) => {
        draft.metadata.labels = { a: 'b' }
        draft.metadata.ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }]
        draft.spec.nodeName = 'other'
        draft.status.phase = 'Running'
      },
      'status',
    )
    assert.deepEqual(errors, [])
    assert.deepEqual(object.metadata.labels, { a: 'b' })
    assert.equal(object.metadata.ownerReferences, undefined)
    assert.deepEqual(object.spec, old.spec)
    assert.equal(object.status.phase, 'Running')
  })

  test('keeps the QoS class and the observed generation', () => {
    const condition = (extra: object = {}) => ({ type: 'Ready', status: 'True', ...extra })
    const old = pod({ observedGeneration: 3, conditions: [condition({ observedGeneration: 2 })] })
    const { object } = updated(old, { qosClass: undefined, observedGeneration: 0, conditions: [condition()] })
    assert.equal(object.status.qosClass, 'BestEffort')
    assert.equal(object.status.observedGeneration, 3)
    assert.equal(object.status.conditions![0]!.observedGeneration, 2)
    assert.deepEqual(problems(old, { qosClass: 'Guaranteed' }), [
      'status.qosClass: Invalid value: "Guaranteed": field is immutable',
    ])
  })

  test('has conditions with valid types', () =>
    assert.match(
      problems(pod({}), { conditions: [{ type: 'a b', status: 'True' }] })[0]!,
      /^status\.conditions\[0\]\.Type: /,
    ))

  test('has a nominated node only before binding', () => {
    assert.deepEqual(problems(pod({}), { nominatedNodeName: 'n' }), [])
    const bound = pod({ nominatedNodeName: 'n' }, { nodeName: 'n' })
    assert.deepEqual(problems(bound, {}), [])
    assert.deepEqual(problems(bound, { nominatedNodeName: 'm' }), [
      'status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node',
    ])
  })

  test('may restart containers whose own policy or rules allow it', () => {
    const rule = (action: string) => ({ action, exitCodes: { operator: 'In', values: [42] } })
    const revived = (exitCode: number, app: object, restartPolicy = 'Never') => {
      const spec = { restartPolicy, containers: [{ name: 'app', image: 'nginx:1', ...app }] }
      return problems(pod({ containerStatuses: [state('app', exitCode)] }, spec), { containerStatuses: [state('app')] })
    }
    assert.deepEqual(revived(1, { restartPolicy: 'OnFailure' }), [])
    assert.deepEqual(revived(42, { restartPolicy: 'Never', restartPolicyRules: [rule('Restart')] }), [])
    assert.deepEqual(revived(1, { restartPolicy: 'Never', restartPolicyRules: [rule('RestartAllContainers')] }), [])
    assert.equal(revived(1, { restartPolicy: 'Never', restartPolicyRules: [rule('Restart')] }).length, 1)
    assert.equal(revived(1, { restartPolicy: 'Never' }, 'Always').length, 1)
  })

  test('does not restart containers that have ended for good', () => {
    const over = { containerStatuses: [state('app', 1)], initContainerStatuses: [state('init', 0)] }
    const alive = { containerStatuses: [state('app')], initContainerStatuses: [state('init')] }
    const spec = (restartPolicy: string, restart?: string) => ({
      restartPolicy,
      initContainers: [{ name: 'init', image: 'a', ...(restart && { restartPolicy: restart }) }],
    })
    const refused = (name: string) =>
      `status.${name}[0].state: Forbidden: may not be transitioned to non-terminated state`
    assert.deepEqual(problems(pod(over, spec('Always')), alive), [])
    assert.deepEqual(problems(pod(over, spec('OnFailure')), alive), [refused('initContainerStatuses')])
    assert.deepEqual(problems(pod(over, spec('Never', 'Always')), alive), [refused('containerStatuses')])
    const debugged = pod({ ephemeralContainerStatuses: [state('d', 1)] })
    assert.deepEqual(problems(debugged, { ephemeralContainerStatuses: [state('d')] }), [
      refused('ephemeralContainerStatuses'),
    ])
  })

  test('has one address per family, the first one also in podIP', () => {
    assert.deepEqual(pod({ podIP: '10.0.0.1' }).status.podIPs, [{ ip: '10.0.0.1' }])
    assert.equal(pod({ podIPs: [{ ip: '10.0.0.1' }] }).status.podIP, '10.0.0.1')
    assert.deepEqual(pod({ podIP: '10.0.0.2', podIPs: [{ ip: '10.0.0.1' }] }).status.podIPs, [{ ip: '10.0.0.2' }])
    assert.deepEqual(problems(pod({}), { podIPs: [{ ip: '10.0.0.1' }, { ip: '::1' }] }), [])
    assert.deepEqual(problems(pod({}), { podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.1' }] }), [
      'status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.1"}]: may specify no more than one IP for each IP family',
      'status.podIPs[1]: Duplicate value: {"IP":"10.0.0.1"}',
    ])
    assert.deepEqual(problems(pod({}), { hostIP: '10.0.0.2', hostIPs: [{ ip: '10.0.0.1' }] }), [
      'status.hostIPs[0].ip: Invalid value: "10.0.0.1": must be equal to `hostIP`',
    ])
  })

  test('refers to existing claims and devices', () => {
    const claimed = pod({}, { resourceClaims: [{ name: 'gpu', resourceClaimName: 'x' }] })
    assert.deepEqual(
      problems(claimed, { resourceClaimStatuses: [{ name: 'gpu' }, { name: 'gpu' }, { name: 'cpu' }] }),
      [
        'status.resourceClaimStatuses[1].name: Duplicate value: "gpu"',
        'status.resourceClaimStatuses[2].name: Invalid value: "cpu": must match the name of an entry in `spec.resourceClaims`',
      ],
    )
    const resources = [
      { resourceID: 'a', health: 'Fine' },
      { resourceID: 'a', health: 'Healthy' },
    ]
    const containerStatuses = [{ ...state('app'), allocatedResourcesStatus: [{ name: 'example.com/gpu', resources }] }]
    const at = 'status.containerStatuses[0].allocatedResourcesStatus[0]'
    assert.deepEqual(problems(claimed, { containerStatuses }), [
      `${at}.name: Invalid value: "example.com/gpu": must match one of the container's resource requests`,
      `${at}.resources[0].health: Unsupported value: "Fine": supported values: "Healthy", "Unhealthy", "Unknown"`,
      `${at}.resources[1].resourceID: Duplicate value: "a"`,
    ])
  })

  test('has valid users', () => {
    const containerStatuses = [{ ...state('app'), user: { linux: { uid: -1, gid: 0, supplementalGroups: [-2] } } }]
    const range = 'must be between 0 and 2147483647, inclusive'
    assert.deepEqual(problems(pod({}), { containerStatuses }), [
      `status.containerStatuses[0].linux.uid: Invalid value: -1: ${range}`,
      `status.containerStatuses[0].linux.supplementalGroups[0]: Invalid value: -2: ${range}`,
    ])
    assert.deepEqual(problems(pod({}, { os: { name: 'windows' } }), { containerStatuses }), [
      'status.containerStatuses[0].linux: Forbidden: cannot be set for a windows pod',
    ])
  })

  test('warns about addresses that are not canonical', () =>
    assert.deepEqual(trial.strategy.subresources!.status!.warnings!(pod({ podIP: '010.0.0.1' }), pod({})), [
      'status.podIPs[0].ip: non-standard IP address "010.0.0.1" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
    ]))
})
