import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../../schema/declaration.js'
import { KindHarness, type WriteResult } from '../../../testing/objects/kind-harness.js'
import { builtin } from '../../scheme.js'

const statefulSets = new KindHarness('apps/v1.StatefulSet')
const template = { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'app', image: 'app:1' }] } }
const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}
const statefulSet = (change: JsonObject = {}) =>
  statefulSets.create({
    spec: { selector: { matchLabels: { app: 'db' } }, serviceName: 'db', template, ...change },
  })
const specOf = ({ object }: WriteResult) => object.spec as JsonObject
const fixed =
  "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"

describe('a new stateful set', () => {
  test('updates its pods one after the other and keeps their claims', () => {
    const spec = specOf(statefulSet({ volumeClaimTemplates: [claim] }))
    assert.equal(spec.podManagementPolicy, 'OrderedReady')
    assert.deepEqual(spec.updateStrategy, { type: 'RollingUpdate', rollingUpdate: { partition: 0 } })
    assert.deepEqual(spec.persistentVolumeClaimRetentionPolicy, { whenDeleted: 'Retain', whenScaled: 'Retain' })
    const [written] = spec.volumeClaimTemplates as JsonObject[]
    assert.deepEqual([written?.apiVersion, written?.kind], ['v1', 'PersistentVolumeClaim'])
  })

  test('that names its strategy gets no further details of it', () => {
    const strategy = (updateStrategy: JsonObject) => specOf(statefulSet({ updateStrategy })).updateStrategy
    assert.deepEqual(strategy({ type: 'RollingUpdate' }), { type: 'RollingUpdate' })
    assert.deepEqual(strategy({ type: 'RollingUpdate', rollingUpdate: {} }), {
      type: 'RollingUpdate',
      rollingUpdate: { partition: 0 },
    })
    assert.deepEqual(strategy({ type: 'OnDelete' }), { type: 'OnDelete' })
  })

  test('loses a number of pods that may be missing, which nothing obeys yet', () => {
    const written = statefulSet({ updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } })
    assert.deepEqual(specOf(written).updateStrategy, { type: 'RollingUpdate', rollingUpdate: { partition: 0 } })
    assert.deepEqual(written.errors, [])
  })

  test('has the name of a host, because its pods are called after it', () => {
    const { name } = builtin.type('apps/v1.StatefulSet').strategy
    assert.deepEqual(name?.('a.b', false), ['must not contain dots'])
    assert.deepEqual(name?.('db-', true), [])
  })

  const wrong: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    [
      'has policies that exist',
      {
        podManagementPolicy: 'Chaotic',
        updateStrategy: { type: 'Quick' },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Keep', whenScaled: 'Burn' },
      },
      [
        `spec.podManagementPolicy: Invalid value: "Chaotic": must be 'OrderedReady' or 'Parallel'`,
        `spec.updateStrategy: Invalid value: {"Type":"Quick","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'`,
        'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Keep": supported values: "Retain", "Delete"',
        'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Burn": supported values: "Retain", "Delete"',
      ],
    ],
    [
      'rolls only where it says so',
      { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
      [
        `spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'`,
      ],
    ],
    [
      'counts from zero',
      {
        replicas: -1,
        minReadySeconds: -1,
        ordinals: { start: -1 },
        updateStrategy: { rollingUpdate: { partition: -1 } },
      },
      [
        'spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0',
        'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
        'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0',
      ],
    ],
    [
      'has a service whose name is a subdomain, or none',
      { serviceName: 'a.b' },
      ['spec.serviceName: Invalid value: "a.b": must not contain dots'],
    ],
    [
      'claims what can be given',
      { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { resources: { requests: { storage: '1Gi' } } } }] },
      ['spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required'],
    ],
    [
      'keeps its pods running',
      { template: { ...template, spec: { ...template.spec, restartPolicy: 'OnFailure', activeDeadlineSeconds: 5 } } },
      [
        'spec.template.spec.restartPolicy: Unsupported value: "OnFailure": supported values: "Always"',
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported',
      ],
    ],
    [
      'needs a selector that can be understood',
      { selector: { matchLabels: { app: 'db' }, matchExpressions: [{ key: 'a', operator: 'In' }] } },
      [
        "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        'spec.selector: Invalid value: {"matchLabels":{"app":"db"},"matchExpressions":[{"key":"a","operator":"In"}]}',
      ],
    ],
  ]
  for (const [title, change, expected] of wrong)
    test(title, () => assert.deepEqual(statefulSet(change).errors, expected))

  test('gets a warning about half a byte, and told of it in other words when it changes', () => {
    const half = { ...claim, spec: { ...claim.spec, resources: { requests: { storage: '500m' } } } }
    const set = statefulSet({ volumeClaimTemplates: [half] })
    const why = 'resources.requests[storage]: fractional byte value "500m" is invalid, must be an integer'
    assert.deepEqual(set.warnings, [`spec.volumeClaimTemplates[0].${why}`])
    assert.deepEqual(statefulSets.update(set, {}).warnings, [`spec.volumeClaimTemplates[0].Spec.${why}`])
  })

  test('mounts its claims as if they were volumes', () => {
    const volumeMounts = [{ name: 'data', mountPath: '/data' }]
    const mounting = { containers: [{ name: 'app', image: 'app:1', volumeMounts }] }
    const spec = (claims: JsonObject[]) => ({ template: { ...template, spec: mounting }, volumeClaimTemplates: claims })
    assert.deepEqual(statefulSet(spec([claim])).errors, [])
    assert.deepEqual(statefulSet(spec([])).errors, [
      'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"',
    ])
  })

  test('is warned that a negative number keeps all of its history', () =>
    assert.deepEqual(statefulSet({ revisionHistoryLimit: -1 }).warnings, [
      'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
    ]))
})

describe('a stateful set that changes', () => {
  const set = statefulSet({ volumeClaimTemplates: [claim] })

  test('may change what its pods are and how many', () => {
    const spec = {
      replicas: 5,
      ordinals: { start: 3 },
      template: { spec: { terminationGracePeriodSeconds: 5 } },
      updateStrategy: { type: 'OnDelete', rollingUpdate: null },
      revisionHistoryLimit: 3,
      persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' },
      minReadySeconds: 4,
    }
    assert.deepEqual(statefulSets.update(set, { spec }).errors, [])
  })

  for (const [name, value] of [
    ['serviceName', 'other'],
    ['podManagementPolicy', 'Parallel'],
    ['volumeClaimTemplates', null],
  ] as const)
    test(`keeps its ${name}`, () =>
      assert.deepEqual(statefulSets.update(set, { spec: { [name]: value } }).errors, [fixed]))

  test('that was stored wrong can still be changed', () => {
    const pods = specOf(set).template as { spec: JsonObject }
    const badPods = { ...pods, spec: { ...pods.spec, hostname: 'Not_A_Host' } }
    const bad = { ...specOf(set), template: badPods, serviceName: 'a.b' }
    const old = { ...set, object: { ...set.object, spec: bad as JsonObject } }
    assert.deepEqual(statefulSets.update(old, { spec: { replicas: 2 } }).errors, [])
    assert.equal(
      statefulSets.update(set, { spec: { template: { spec: { hostname: 'Not_A_Host' } } } }).errors.length,
      1,
    )
  })

  test('has a status with consistent counts', () =>
    assert.deepEqual(
      statefulSets.update(
        set,
        { status: { replicas: 1, readyReplicas: 0, currentReplicas: 2, updatedReplicas: 2, availableReplicas: 1 } },
        'status',
      ).errors,
      [
        'status.currentReplicas: Invalid value: 2: cannot be greater than status.replicas',
        'status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas',
        'status.availableReplicas: Invalid value: 1: cannot be greater than status.readyReplicas',
      ],
    ))

  test('shows ready and desired replicas', () => {
    const row = statefulSets.row(
      statefulSets.update(statefulSet({ replicas: 3 }), { status: { replicas: 3, readyReplicas: 2 } }, 'status'),
    )
    assert.deepEqual([row.Ready, row.Containers, row.Images], ['2/3', 'app', 'app:1'])
  })
})
