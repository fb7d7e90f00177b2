import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { LimitRange } from '../limit-range.js'

const kind = new KindHarness<LimitRange>('core/v1.LimitRange')
const wrong = (...limits: readonly object[]) => kind.create({ spec: { limits } }).errors
const item = (limit: object) => kind.create({ spec: { limits: [limit] } }).object.spec.limits[0]!

test('default limits are the maximum, and default requests the default limits', () => {
  const limit = {
    type: 'Container',
    max: { cpu: '2' },
    min: { cpu: '1', memory: '1Mi' },
    default: { memory: '2Mi' },
    defaultRequest: { storage: '1' },
  }
  assert.deepEqual(item(limit), {
    ...limit,
    default: { cpu: '2', memory: '2Mi' },
    defaultRequest: { cpu: '2', memory: '2Mi', storage: '1' },
  })
  assert.deepEqual(item({ type: 'Pod', max: { cpu: '2' } }), { type: 'Pod', max: { cpu: '2' } })
  assert.deepEqual(item({ type: 'Container' }), { type: 'Container' })
})

describe('limits that are rejected', () => {
  const cases: readonly (readonly [title: string, limit: object, ...errors: readonly string[]])[] = [
    [
      'of what is not known',
      { type: 'Shoe' },
      'spec.limits[0].type: Invalid value: "Shoe": must be a standard limit type or fully qualified',
    ],
    ['of what others know', { type: 'example.com/Shoe', max: { storage: '1' } }],
    [
      'of pods, by default',
      { type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } },
      "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
      "spec.limits[0].defaultRequest: Forbidden: may not be specified when `type` is 'Pod'",
    ],
    [
      'of what containers do not have',
      { type: 'Container', min: { storage: '1', shoes: '1' } },
      'spec.limits[0].min[shoes]: Invalid value: "shoes": must be a standard resource type or fully qualified',
      'spec.limits[0].min[shoes]: Invalid value: "shoes": must be a standard resource for containers',
      'spec.limits[0].min[storage]: Invalid value: "storage": must be a standard resource for containers',
      'spec.limits[0].defaultRequest[shoes]: Invalid value: "shoes": must be a standard resource type or fully qualified',
      'spec.limits[0].defaultRequest[shoes]: Invalid value: "shoes": must be a standard resource for containers',
      'spec.limits[0].defaultRequest[storage]: Invalid value: "storage": must be a standard resource for containers',
    ],
    [
      'of claims, on everything but storage',
      { type: 'PersistentVolumeClaim', max: { cpu: '1' } },
      'spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
    ],
    [
      'where less is more',
      { type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } },
      'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
    ],
    [
      'where the default is out of bounds',
      { type: 'Container', min: { cpu: '2' }, max: { cpu: '4' }, default: { cpu: '5' }, defaultRequest: { cpu: '1' } },
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1',
      'spec.limits[0].default[cpu]: Invalid value: "4": default value 5 is greater than max value 4',
    ],
    [
      'where the ratio cannot be',
      { type: 'Pod', min: { cpu: '1' }, max: { cpu: '3' }, maxLimitRequestRatio: { cpu: '3500m' } },
      'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "3500m": ratio 3500m is greater than max/min = 3.000000',
    ],
    [
      'where the ratio is none',
      { type: 'Pod', maxLimitRequestRatio: { cpu: '500m' } },
      'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1',
    ],
    [
      'where what cannot be shared is',
      { type: 'Container', default: { 'example.com/gpu': '2' }, defaultRequest: { 'example.com/gpu': '1' } },
      'spec.limits[0].defaultRequest[example.com/gpu]: Invalid value: "1": default value 2 must equal to defaultRequest value 1 in example.com/gpu',
    ],
  ]
  for (const [title, limit, ...errors] of cases) test(title, () => assert.deepEqual(wrong(limit), errors))

  test('of one type twice', () => {
    assert.deepEqual(wrong({ type: 'Pod' }, { type: 'Pod' }), ['spec.limits[1].type: Duplicate value: "Pod"'])
  })
})

test('the table shows the age', () => {
  const made = kind.create({
    metadata: { name: 'x', namespace: 'ns', creationTimestamp: '2024-01-01T00:00:00Z' },
    spec: { limits: [] },
  }).object
  assert.equal(kind.row(made)['Created At'], '2024-01-01T00:00:00Z')
})
