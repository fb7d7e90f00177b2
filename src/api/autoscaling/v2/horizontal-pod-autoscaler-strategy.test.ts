import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../../schema/declaration.js'
import { KindHarness, type WriteResult } from '../../../testing/objects/kind-harness.js'

const horizontalPodAutoscalers = new KindHarness('autoscaling/v2.HorizontalPodAutoscaler')
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
const autoscaler = (change: JsonObject = {}) =>
  horizontalPodAutoscalers.create({ spec: { scaleTargetRef, maxReplicas: 5, ...change } })
const specOf = ({ object }: WriteResult) => object.spec as JsonObject
const metric = (given: JsonObject) => autoscaler({ metrics: [given] }).errors
const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } }

describe('a new autoscaler', () => {
  test('looks at the use of CPU, and keeps one pod', () => {
    const { metrics, minReplicas, behavior } = specOf(autoscaler())
    const target = { type: 'Utilization', averageUtilization: 80 }
    assert.deepEqual(metrics, [{ type: 'Resource', resource: { name: 'cpu', target } }])
    assert.deepEqual([minReplicas, behavior], [1, undefined])
    assert.deepEqual(autoscaler().errors, [])
  })

  test('that says how it behaves has all of it spelled out', () => {
    const scaleDown = { stabilizationWindowSeconds: 60, tolerance: '0.1' }
    assert.deepEqual(specOf(autoscaler({ behavior: { scaleDown } })).behavior, {
      scaleUp: {
        stabilizationWindowSeconds: 0,
        selectPolicy: 'Max',
        policies: [
          { type: 'Pods', value: 4, periodSeconds: 15 },
          { type: 'Percent', value: 100, periodSeconds: 15 },
        ],
      },
      scaleDown: {
        stabilizationWindowSeconds: 60,
        selectPolicy: 'Max',
        policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
        tolerance: '100m',
      },
    })
  })

  const wrong: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    [
      'has a largest number of pods',
      { maxReplicas: 0 },
      [
        'spec.maxReplicas: Required value: must be set and greater than 0',
        'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
      ],
    ],
    [
      'has one that is positive',
      { maxReplicas: -1, minReplicas: -2 },
      [
        'spec.minReplicas: Invalid value: -2: must be greater than or equal to 1',
        'spec.maxReplicas: Invalid value: -1: must be greater than or equal to 1',
      ],
    ],
    [
      'scales to nothing only by what can be measured then',
      { minReplicas: 0 },
      [
        'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
        'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
      ],
    ],
    [
      'scales something that is named in full',
      { scaleTargetRef: { kind: 'a/b', name: '' } },
      [
        `spec.scaleTargetRef.kind: Invalid value: "a/b": may not contain '/'`,
        'spec.scaleTargetRef.name: Required value',
        'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
      ],
    ],
    [
      'scales something of a version',
      { scaleTargetRef: { ...scaleTargetRef, apiVersion: 'a/b/c' } },
      ['spec.scaleTargetRef.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
    ['may scale what the core group has', { scaleTargetRef: { kind: 'ReplicationController', name: 'web' } }, []],
    [
      'behaves within limits',
      {
        behavior: {
          scaleUp: { stabilizationWindowSeconds: -1, selectPolicy: 'Most', tolerance: '-1' },
          scaleDown: {
            stabilizationWindowSeconds: 3601,
            policies: [
              { type: 'Share', value: 0, periodSeconds: 0 },
              { type: 'Pods', value: 1, periodSeconds: 1801 },
            ],
          },
        },
      },
      [
        'spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero',
        'spec.behavior.scaleUp.selectPolicy: Unsupported value: "Most": supported values: "Disabled", "Max", "Min"',
        'spec.behavior.scaleUp.tolerance: Invalid value: "-1": must be greater than or equal to 0',
        'spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600',
        'spec.behavior.scaleDown.policies[0].type: Unsupported value: "Share": supported values: "Percent", "Pods"',
        'spec.behavior.scaleDown.policies[0].value: Invalid value: 0: must be greater than zero',
        'spec.behavior.scaleDown.policies[0].periodSeconds: Invalid value: 0: must be greater than zero',
        'spec.behavior.scaleDown.policies[1].periodSeconds: Invalid value: 1801: must be less than or equal to 1800',
      ],
    ],
  ]
  for (const [title, change, expected] of wrong)
    test(title, () => assert.deepEqual(autoscaler(change).errors, expected))
})

describe('a metric', () => {
  const types = 'supported values: "ContainerResource", "External", "Object", "Pods", "Resource"'
  const path = 'spec.metrics[0]'
  const cases: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    [
      'has a type',
      { type: '' },
      [
        `${path}.type: Required value: must specify a metric source type`,
        `${path}.type: Unsupported value: "": ${types}`,
        `${path}.type: Unsupported value: "": ${types}`,
      ],
    ],
    [
      'has the source that its type says',
      { ...cpu, type: 'ContainerResource' },
      [`${path}.containerResource: Required value: must populate information for the given metric source`],
    ],
    [
      'has no other source',
      { ...cpu, pods: { metric: { name: 'x' }, target: { type: 'AverageValue', averageValue: '1' } } },
      [`${path}.pods: Forbidden: must populate the given metric source only`],
    ],
    [
      'of a resource aims for an amount or a part',
      { type: 'Resource', resource: { name: '', target: { type: 'Some', averageValue: '1', averageUtilization: 0 } } },
      [
        `${path}.resource.name: Required value: must specify a resource name`,
        `${path}.resource.target.type: Invalid value: "Some": must be either Utilization, Value, or AverageValue`,
        `${path}.resource.target.averageUtilization: Invalid value: 0: must be greater than 0`,
        `${path}.resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization`,
      ],
    ],
    [
      'of a container names it',
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', container: '', target: { type: 'AverageValue' } },
      },
      [
        `${path}.containerResource.container: Required value: must specify a container`,
        `${path}.containerResource.target.averageUtilization: Required value: must set either a target raw value or a target utilization`,
      ],
    ],
    [
      'of a container is about something that containers can ask for',
      {
        type: 'ContainerResource',
        containerResource: { name: 'pods', container: 'app', target: { type: 'AverageValue', averageValue: '1' } },
      },
      [`${path}.containerResource.name: Invalid value: "pods": must be a standard resource for containers`],
    ],
    [
      'of pods aims for an average',
      { type: 'Pods', pods: { metric: { name: '' }, target: { type: 'Value', value: '0' } } },
      [
        `${path}.pods.metric.name: Required value: must specify a metric name`,
        `${path}.pods.target.value: Invalid value: "0": must be positive`,
        `${path}.pods.target.averageValue: Required value: must specify a positive target averageValue`,
      ],
    ],
    [
      'of an object names it; that of the core group is an object, too',
      {
        type: 'Object',
        object: {
          describedObject: { apiVersion: 'v1', kind: '', name: 'x' },
          metric: { name: 'a/b' },
          target: { type: 'Value' },
        },
      },
      [
        `${path}.object.describedObject.kind: Required value`,
        `${path}.object.metric.name: Invalid value: "a/b": may not contain '/'`,
        `${path}.object.target.averageValue: Required value: must set either a target value or averageValue`,
      ],
    ],
    [
      'from elsewhere aims for one of two values',
      {
        type: 'External',
        external: { metric: { name: 'x' }, target: { type: 'Value', value: '1', averageValue: '1' } },
      },
      [`${path}.external.target.value: Forbidden: may not set both a target value for metric and a per-pod target`],
    ],
  ]
  for (const [title, given, expected] of cases) test(title, () => assert.deepEqual(metric(given), expected))
})

describe('an autoscaler that changes', () => {
  const odd = (spec: JsonObject) => {
    const written = autoscaler()
    return { ...written, object: { ...written.object, spec: { ...specOf(written), ...spec } } }
  }

  test('keeps a version that would no longer be taken', () => {
    const wrong = { scaleTargetRef: { kind: 'Deployment', name: 'web' } }
    assert.deepEqual(horizontalPodAutoscalers.update(odd(wrong), { spec: { maxReplicas: 6 } }).errors, [])
    assert.equal(
      horizontalPodAutoscalers.update(autoscaler(), { spec: { scaleTargetRef: { apiVersion: null } } }).errors.length,
      1,
    )
  })

  test('keeps scaling to nothing if it did', () => {
    const external = { type: 'External', external: { metric: { name: 'x' }, target: { type: 'Value', value: '1' } } }
    assert.deepEqual(
      horizontalPodAutoscalers.update(odd({ minReplicas: 0, metrics: [external] }), { spec: { maxReplicas: 6 } })
        .errors,
      [],
    )
  })

  test('has no generation', () => assert.equal((autoscaler().object.metadata as JsonObject).generation, undefined))

  test('counts replicas from zero in its status', () =>
    assert.deepEqual(
      horizontalPodAutoscalers.update(autoscaler(), { status: { currentReplicas: -1, desiredReplicas: -1 } }, 'status')
        .errors,
      [
        'status.currentReplicas: Invalid value: -1: must be greater than or equal to 0',
        'status.desiredReplicas: Invalid value: -1: must be greater than or equal to 0',
      ],
    ))
})

describe('the table of autoscalers', () => {
  const target = (metrics: JsonObject[], currentMetrics: JsonObject[] = []) =>
    horizontalPodAutoscalers.row(
      horizontalPodAutoscalers.update(autoscaler({ metrics }), { status: { currentMetrics } }, 'status'),
    ).Targets
  const sample = (type: string, key: string, value: JsonObject) => ({ type, [key]: value })
  const metricName = { metric: { name: 'x' } }
  const object = { ...metricName, describedObject: { kind: 'Service', name: 's' } }

  test('shows what is scaled, and between which numbers', () => {
    const row = horizontalPodAutoscalers.row(
      horizontalPodAutoscalers.update(autoscaler(), { status: { currentReplicas: 3 } }, 'status'),
    )
    assert.deepEqual([row.Reference, row.MinPods, row.MaxPods, row.Replicas], ['Deployment/web', '1', 5, 3])
  })

  test('shows what is and what should be', () => {
    assert.equal(target([cpu]), 'cpu: <unknown>/60%')
    const used = sample('Resource', 'resource', { name: 'cpu', current: { averageUtilization: 75, averageValue: '1' } })
    assert.equal(target([cpu], [used]), 'cpu: 75%/60%')
    const memory = sample('Resource', 'resource', {
      name: 'memory',
      target: { type: 'AverageValue', averageValue: '1Gi' },
    })
    assert.equal(target([memory]), 'memory: <unknown>/1Gi')
    const pods = sample('Pods', 'pods', { ...metricName, target: { type: 'AverageValue', averageValue: '1k' } })
    assert.equal(target([pods], [sample('Pods', 'pods', { ...metricName, current: { averageValue: '2k' } })]), '2k/1k')
    const each = sample('External', 'external', { ...metricName, target: { type: 'AverageValue', averageValue: '3' } })
    assert.equal(target([each]), '<unknown>/3 (avg)')
    const whole = sample('Object', 'object', { ...object, target: { type: 'Value', value: '4' } })
    assert.equal(target([whole], [sample('Object', 'object', { ...object, current: { value: '5' } })]), '5/4')
  })

  test('shows two metrics, and counts the rest', () =>
    assert.equal(target([cpu, cpu, cpu, cpu]), 'cpu: <unknown>/60%, cpu: <unknown>/60% + 2 more...'))
})
