import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { JsonObject } from '../../../schema/declaration.js'
import { decodeValue } from '../../../schema/decode/decoder.js'
import { setDefaults } from '../../../schema/defaults.js'
import { arbitraryObject } from '../../../testing/objects/arbitrary-objects.js'
import { builtin } from '../../scheme.js'
import type { HorizontalPodAutoscaler as Autoscaler2 } from '../v2/horizontal-pod-autoscaler.js'
import type { HorizontalPodAutoscaler as Autoscaler1 } from './horizontal-pod-autoscaler.js'
import { toVersion1, toVersion2 } from './horizontal-pod-autoscaler-conversion.js'

const type1 = builtin.type('autoscaling/v1.HorizontalPodAutoscaler')
const type2 = builtin.type('autoscaling/v2.HorizontalPodAutoscaler')
const complete = (type: typeof type1, object: object) => {
  const { object: draft } = decodeValue(type, object, 'Strict')
  setDefaults(type, draft)
  return draft
}
const version1 = (object: object) => complete(type1, object) as unknown as Autoscaler1
const version2 = (object: object) => complete(type2, object) as unknown as Autoscaler2

const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
const spec = { scaleTargetRef, maxReplicas: 3 }
const key = (name: string) => `autoscaling.alpha.kubernetes.io/${name}`
const selector = { matchLabels: { a: 'b' } }
const describedObject = { kind: 'Ingress', name: 'main', apiVersion: 'networking.k8s.io/v1' }

/** One metric of each form, as both versions have it. */
const metrics: readonly (readonly [stored: JsonObject, annotated: JsonObject])[] = [
  [
    { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
    { type: 'Resource', resource: { name: 'memory', targetAverageValue: '1Gi' } },
  ],
  [
    {
      type: 'ContainerResource',
      containerResource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 5 }, container: 'app' },
    },
    { type: 'ContainerResource', containerResource: { name: 'cpu', targetAverageUtilization: 5, container: 'app' } },
  ],
  [
    {
      type: 'Pods',
      pods: { metric: { name: 'x', selector }, target: { type: 'AverageValue', averageValue: '2' } },
    },
    { type: 'Pods', pods: { metricName: 'x', targetAverageValue: '2', selector } },
  ],
  [
    { type: 'Object', object: { describedObject, target: { type: 'Value', value: '2k' }, metric: { name: 'x' } } },
    { type: 'Object', object: { target: describedObject, metricName: 'x', targetValue: '2k' } },
  ],
  [
    {
      type: 'Object',
      object: { describedObject, target: { type: 'AverageValue', averageValue: '3' }, metric: { name: 'x' } },
    },
    { type: 'Object', object: { target: describedObject, metricName: 'x', targetValue: '0', averageValue: '3' } },
  ],
  [
    {
      type: 'External',
      external: { metric: { name: 'x', selector }, target: { type: 'Value', value: '4' } },
    },
    { type: 'External', external: { metricName: 'x', metricSelector: selector, targetValue: '4' } },
  ],
]

describe('an autoscaler of version 2 seen in version 1', () => {
  const stored = version2({
    metadata: { name: 'web', annotations: { keep: '<me>' } },
    spec: {
      ...spec,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
        ...metrics.map(([one]) => one),
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 60, tolerance: '0.05' } },
    },
    status: {
      currentReplicas: 2,
      desiredReplicas: 3,
      conditions: [{ type: 'AbleToScale', status: 'True', reason: 'A<B' }],
      currentMetrics: [
        { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 40, averageValue: '200m' } } },
        { type: 'Pods', pods: { metric: { name: 'x' }, current: { averageValue: '7' } } },
        { type: 'Object', object: { describedObject, metric: { name: 'y' }, current: { value: '8' } } },
        { type: 'External', external: { metric: { name: 'z' }, current: { value: '9', averageValue: '1' } } },
      ],
    },
  })
  const seen = toVersion1(stored)
  const annotation = (name: string) => JSON.parse(seen.metadata.annotations![key(name)]!)

  test('has the use of CPU in fields', () => {
    assert.equal(seen.spec.targetCPUUtilizationPercentage, 70)
    assert.equal(seen.status.currentCPUUtilizationPercentage, 40)
    assert.deepEqual([seen.status.currentReplicas, seen.status.desiredReplicas], [2, 3])
  })

  test('has everything else in annotations, beside those of the user', () => {
    assert.equal(seen.metadata.annotations!.keep, '<me>')
    assert.deepEqual(
      annotation('metrics'),
      metrics.map(([, annotated]) => annotated),
    )
    assert.deepEqual(annotation('behavior').ScaleDown, {
      StabilizationWindowSeconds: 60,
      SelectPolicy: 'Max',
      Policies: [{ Type: 'Percent', Value: 100, PeriodSeconds: 15 }],
      Tolerance: '50m',
    })
    assert.deepEqual(annotation('current-metrics'), [
      { type: 'Resource', resource: { name: 'cpu', currentAverageUtilization: 40, currentAverageValue: '200m' } },
      { type: 'Pods', pods: { metricName: 'x', currentAverageValue: '7' } },
      { type: 'Object', object: { target: describedObject, metricName: 'y', currentValue: '8' } },
      { type: 'External', external: { metricName: 'z', currentValue: '9', currentAverageValue: '1' } },
    ])
    assert.equal(
      seen.metadata.annotations![key('conditions')],
      '[{"type":"AbleToScale","status":"True","lastTransitionTime":null,"reason":"A\\u003cB"}]',
    )
  })

  test('comes back whole; only the use of CPU has moved to the end', () => {
    const back = version2({ ...toVersion2(version1(seen)) })
    const [cpu, ...others] = stored.spec.metrics!
    assert.deepEqual(back.spec, version2({ spec: { ...stored.spec, metrics: [...others, cpu] } }).spec)
    assert.deepEqual(back.status, stored.status)
    assert.deepEqual(back.metadata, stored.metadata)
  })
})

describe('an autoscaler of version 1', () => {
  test('aims for 80 % of CPU if it says nothing, and nothing is stored in annotations', () => {
    const { spec: made, metadata } = toVersion2(version1({ metadata: { name: 'web' }, spec }))
    const target = { type: 'Utilization', averageUtilization: 80 }
    assert.deepEqual(made.metrics, [{ type: 'Resource', resource: { name: 'cpu', target } }])
    assert.equal(made.minReplicas, 1)
    assert.deepEqual(metadata, { name: 'web' })
  })

  test('can say more in annotations, whose keys may be in any case', () => {
    const annotations = {
      [key('metrics')]: '[{"Type":"Pods","pods":{"metricname":"x","targetAverageValue":1000}}]',
      [key('behavior')]: '{"scaleUp":{"stabilizationWindowSeconds":9}}',
      keep: 'me',
    }
    const made = toVersion2(
      version1({ metadata: { annotations }, spec: { ...spec, targetCPUUtilizationPercentage: 5 } }),
    )
    assert.deepEqual(
      made.spec.metrics?.map(({ type }) => type),
      ['Pods', 'Resource'],
    )
    assert.equal(made.spec.metrics?.[0]?.pods?.target.averageValue, '1k')
    assert.equal(made.spec.behavior?.scaleUp?.stabilizationWindowSeconds, 9)
    assert.equal(made.spec.behavior?.scaleDown?.selectPolicy, 'Max', 'the rest of it is completed')
    assert.deepEqual(made.metadata.annotations, { keep: 'me' })
  })

  test('is heard only where its annotations make sense', () => {
    for (const text of ['', '{', 'null', '7', '{}', '[7]', '[{"type":7}]', '[{"pods":{"targetAverageValue":"much"}}]'])
      assert.deepEqual(
        toVersion2(version1({ metadata: { annotations: { [key('metrics')]: text } }, spec })).spec.metrics?.length,
        1,
        text,
      )
  })

  test('tells the use of CPU from its field when that is all there is', () => {
    const status = { currentReplicas: 1, desiredReplicas: 1, currentCPUUtilizationPercentage: 30 }
    assert.deepEqual(toVersion2(version1({ spec, status })).status.currentMetrics, [
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 30 } } },
    ])
  })
})

test('any autoscaler of version 1 is the same after it was stored', () =>
  fc.assert(
    fc.property(arbitraryObject(type1), (given) => {
      const before = version1(given)
      const after = version1({ ...before, ...toVersion1(version2(toVersion2(before))) })
      const { targetCPUUtilizationPercentage: aim = 80, ...rest } = before.spec
      assert.deepEqual(after.spec, { ...rest, targetCPUUtilizationPercentage: aim })
    }),
    { numRuns: 50 },
  ))
