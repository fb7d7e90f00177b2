import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../../schema/declaration.js'
import { KindHarness, type WriteResult } from '../../../testing/objects/kind-harness.js'

const daemonSets = new KindHarness('apps/v1.DaemonSet')
const template = { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'app', image: 'app:1' }] } }
const daemonSet = (change: JsonObject = {}, metadata: JsonObject = {}) =>
  daemonSets.create({
    metadata,
    spec: { selector: { matchLabels: { app: 'agent' } }, template, ...change },
  })
const templateGeneration = ({ object }: WriteResult) =>
  ((object.metadata as JsonObject).annotations as JsonObject)['deprecated.daemonset.template.generation']

describe('a new daemon set', () => {
  test('replaces one pod at a time, after the old one is gone', () => {
    const { updateStrategy } = daemonSet().object.spec as JsonObject
    assert.deepEqual(updateStrategy, { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } })
    assert.deepEqual(daemonSet().errors, [])
  })

  const wrong: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    [
      'needs a selector that finds its pods',
      { selector: null },
      ['spec.template.metadata.labels: Invalid value: {"app":"agent"}: `selector` does not match template `labels`'],
    ],
    [
      'needs a selector that chooses',
      { selector: {} },
      ['spec.selector: Invalid value: {}: empty selector is invalid for daemonset'],
    ],
    [
      'keeps its pods running, and counts from zero',
      {
        template: { ...template, spec: { ...template.spec, restartPolicy: 'Never', activeDeadlineSeconds: 1 } },
        minReadySeconds: -1,
        revisionHistoryLimit: -1,
      },
      [
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in DaemonSet is not Supported',
        'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
      ],
    ],
    [
      'has its new pods before or after the old ones, not both',
      { updateStrategy: { rollingUpdate: { maxUnavailable: '10%', maxSurge: 1 } } },
      ['spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero'],
    ],
    [
      'has them at some time',
      { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } },
      ['spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0'],
    ],
    [
      'has percentages of at most all nodes',
      { updateStrategy: { rollingUpdate: { maxUnavailable: '0%', maxSurge: '101%' } } },
      ['spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: "101%": must not be greater than 100%'],
    ],
    [
      'has one of two strategies',
      { updateStrategy: { type: 'Quick' } },
      [
        'spec.updateStrategy: Unsupported value: {"Type":"Quick","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"',
      ],
    ],
  ]
  for (const [title, change, expected] of wrong) test(title, () => assert.deepEqual(daemonSet(change).errors, expected))
})

describe('the generation of a template', () => {
  test('starts at one, or at the value of the client', () => {
    assert.equal(templateGeneration(daemonSet()), '1')
    const key = 'deprecated.daemonset.template.generation'
    assert.equal(templateGeneration(daemonSet({}, { annotations: { [key]: '5' } })), '5')
    assert.equal(templateGeneration(daemonSet({}, { annotations: { [key]: '-5' } })), '1')
  })

  test('increases with the template only, and is set by the server', () => {
    assert.equal(templateGeneration(daemonSets.update(daemonSet(), { spec: { minReadySeconds: 3 } })), '1')
    assert.equal(
      templateGeneration(
        daemonSets.update(daemonSet(), { spec: { template: { spec: { terminationGracePeriodSeconds: 1 } } } }),
      ),
      '2',
    )
    assert.equal(templateGeneration(daemonSets.update(daemonSet(), { metadata: { annotations: null } })), '1')
  })
})

test('a daemon set keeps its selector', () =>
  assert.deepEqual(daemonSets.update(daemonSet(), { spec: { selector: { matchLabels: { app: 'other' } } } }).errors, [
    'spec.selector: Invalid value: {"matchLabels":{"app":"other"}}: field is immutable',
    'spec.template.metadata.labels: Invalid value: {"app":"agent"}: `selector` does not match template `labels`',
  ]))

test('the status of a daemon set counts from zero, and never back', () => {
  const reported = daemonSets.update(daemonSet(), { status: { collisionCount: 3 } }, 'status')
  assert.deepEqual(
    daemonSets.update(reported, { status: { numberReady: -1, numberUnavailable: -2, collisionCount: 2 } }, 'status')
      .errors,
    [
      'status.numberReady: Invalid value: -1: must be greater than or equal to 0',
      'status.numberUnavailable: Invalid value: -2: must be greater than or equal to 0',
      'status.collisionCount: Invalid value: 2: cannot be decremented',
    ],
  )
})

test('a daemon set is shown with its nodes', () => {
  const spec = { ...template.spec, nodeSelector: { zone: 'a', pool: 'gpu' } }
  const status = { desiredNumberScheduled: 5, currentNumberScheduled: 4, numberReady: 3, updatedNumberScheduled: 2 }
  const row = daemonSets.row(daemonSets.update(daemonSet({ template: { ...template, spec } }), { status }, 'status'))
  assert.deepEqual([row.Desired, row.Current, row.Ready, row['Up-to-date'], row.Available], [5, 4, 3, 2, 0])
  assert.equal(row['Node Selector'], 'pool=gpu,zone=a')
  assert.equal(daemonSets.row(daemonSet())['Node Selector'], '<none>')
})
