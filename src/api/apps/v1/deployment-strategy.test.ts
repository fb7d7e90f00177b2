import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../../schema/declaration.js'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const deployments = new KindHarness('apps/v1.Deployment')
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image: 'app:1' }] } }
const spec = { selector: { matchLabels: { app: 'web' } }, template }
const deployment = (change: JsonObject = {}, metadata: JsonObject = {}) =>
  deployments.create({ metadata, spec: { ...spec, ...change } })
const problems = (change: JsonObject) => deployment(change).errors
const strategyOf = (written: ReturnType<typeof deployment>) => (written.object.spec as JsonObject).strategy

describe('a new deployment', () => {
  test('rolls a quarter of its pods at a time by default', () => {
    const quarter = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } }
    assert.deepEqual(strategyOf(deployment()), quarter)
    assert.deepEqual(strategyOf(deployment({ strategy: { rollingUpdate: { maxSurge: 0 } } })), {
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: '25%', maxSurge: 0 },
    })
    assert.deepEqual(strategyOf(deployment({ strategy: { type: 'Recreate' } })), { type: 'Recreate' })
    assert.deepEqual(deployment().errors, [])
  })

  test('begins without the status that a client sends', () => {
    const written = deployments.create({ spec, status: { replicas: 9 } })
    assert.deepEqual(written.object.status, {})
  })

  const wrong: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    [
      'counts pods and seconds from zero',
      { replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1, progressDeadlineSeconds: -1 },
      [
        'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
        'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
        'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than minReadySeconds',
      ],
    ],
    [
      'cannot wait longer for readiness than for progress',
      { minReadySeconds: 600 },
      ['spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds'],
    ],
    [
      'needs a selector that finds its pods',
      { selector: { matchLabels: { app: 'other' } } },
      ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
    ],
    [
      'needs a selector that chooses',
      { selector: {} },
      ['spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
    ],
    [
      'needs a selector that can be understood',
      { selector: { matchExpressions: [{ key: 'app', operator: 'Like', values: ['web'] }] } },
      [
        'spec.selector.matchExpressions[0].operator: Invalid value: "Like": not a valid selector operator',
        'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Like","values":["web"]}]}: invalid label selector',
      ],
    ],
    [
      'keeps its pods running',
      { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never', activeDeadlineSeconds: 5 } } },
      [
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
      ],
    ],
    [
      'needs room to roll, and at most all of its pods may be missing',
      { strategy: { rollingUpdate: { maxSurge: '0%', maxUnavailable: 0 } } },
      ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0'],
    ],
    [
      'may surge to more than twice its size',
      { strategy: { rollingUpdate: { maxSurge: '300%', maxUnavailable: '120%' } } },
      ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "120%": must not be greater than 100%'],
    ],
    [
      'rolls only where it says so',
      { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
      ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
    ],
    [
      'has one of two strategies',
      { strategy: { type: 'Canary', rollingUpdate: { maxSurge: 1 } } },
      [
        'spec.strategy: Unsupported value: {"Type":"Canary","RollingUpdate":{"MaxUnavailable":0,"MaxSurge":1}}: supported values: "Recreate", "RollingUpdate"',
      ],
    ],
  ]
  for (const [title, change, expected] of wrong) test(title, () => assert.deepEqual(problems(change), expected))

  test('gets a warning about a name that no host can have', () => {
    assert.deepEqual(deployment({}, { name: 'web.example' }).warnings, [
      'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
    ])
    assert.deepEqual(deployment({}, { name: 'web' }).warnings, [])
  })
})

describe('a deployment that changes', () => {
  test('keeps its selector', () =>
    assert.deepEqual(deployments.update(deployment(), { spec: { selector: { matchLabels: { tier: 'a' } } } }).errors, [
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
      'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"a"}}: field is immutable',
    ]))

  test('counts changes of its spec and of its annotations, not of its labels', () => {
    const generation = (patch: JsonObject) =>
      (deployments.update(deployment(), patch).object.metadata as JsonObject).generation as number
    assert.equal(generation({ spec: { replicas: 1 } }), 1)
    assert.equal(generation({ spec: { replicas: 2 } }), 2)
    assert.equal(generation({ metadata: { annotations: { a: 'b' } } }), 2)
    assert.equal(generation({ metadata: { labels: { a: 'b' } } }), 1)
    assert.equal(generation({ status: { replicas: 7 } }), 1)
  })

  test('takes a status that fits together, annotations, and nothing else from who reports it', () => {
    const report = { spec: { replicas: 9 }, metadata: { labels: { a: 'b' }, annotations: { c: 'd' } } }
    const written = deployments.update(
      deployment({}, { labels: { e: 'f' } }),
      { ...report, status: { replicas: 2 } },
      'status',
    )
    assert.deepEqual(written.errors, [])
    assert.equal((written.object.spec as JsonObject).replicas, 1)
    const { labels, annotations } = written.object.metadata as JsonObject
    assert.deepEqual([labels, annotations], [{ e: 'f' }, { c: 'd' }])
    assert.deepEqual(written.object.status, { replicas: 2 })
  })

  test('has a status with consistent counts', () => {
    const reported = deployments.update(deployment(), { status: { replicas: 3, collisionCount: 2 } }, 'status')
    assert.deepEqual(
      deployments.update(
        reported,
        {
          status: {
            updatedReplicas: 4,
            readyReplicas: 5,
            availableReplicas: 6,
            terminatingReplicas: -1,
            collisionCount: 1,
          },
        },
        'status',
      ).errors,
      [
        'status.terminatingReplicas: Invalid value: -1: must be greater than or equal to 0',
        'status.updatedReplicas: Invalid value: 4: cannot be greater than status.replicas',
        'status.readyReplicas: Invalid value: 5: cannot be greater than status.replicas',
        'status.availableReplicas: Invalid value: 6: cannot be greater than status.replicas',
        'status.availableReplicas: Invalid value: 6: cannot be greater than readyReplicas',
        'status.collisionCount: Invalid value: 1: cannot be decremented',
      ],
    )
    assert.deepEqual(deployments.update(reported, { status: { collisionCount: null } }, 'status').errors, [
      'status.collisionCount: Invalid value: 0: cannot be decremented',
    ])
  })
})

test('a deployment is shown with what is ready of what is wanted', () => {
  const status = { replicas: 3, readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 }
  const { Name, Ready, Available, Containers, Images, Selector, ...rest } = deployments.row(
    deployments.update(deployment({ replicas: 3 }), { status }, 'status'),
  )
  assert.deepEqual([Name, Ready, rest['Up-to-date'], Available], ['it', '1/3', 2, 1])
  assert.deepEqual([Containers, Images, Selector], ['app', 'app:1', 'app=web'])
})
