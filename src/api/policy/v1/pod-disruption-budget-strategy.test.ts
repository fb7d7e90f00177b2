import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../../schema/declaration.js'
import { KindHarness } from '../../../testing/objects/kind-harness.js'
import { builtin } from '../../scheme.js'

const podDisruptionBudgets = new KindHarness('policy/v1.PodDisruptionBudget')
const budget = (spec: JsonObject) => podDisruptionBudgets.create({ spec })

describe('a disruption budget', () => {
  test('may say little', () => {
    const small: readonly JsonObject[] = [{}, { selector: {} }, { minAvailable: '100%' }, { maxUnavailable: 0 }]
    for (const spec of small) assert.deepEqual(budget(spec).errors, [])
  })

  const wrong: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    [
      'counts what must be there or what may be missing',
      { minAvailable: 1, maxUnavailable: '1%' },
      [
        'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":"1%","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
      ],
    ],
    [
      'counts in numbers or percentages',
      { minAvailable: 'half' },
      [
        "spec.minAvailable: Invalid value: \"half\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ],
    ],
    [
      'counts from none to all, and has a policy that exists',
      { maxUnavailable: '101%', unhealthyPodEvictionPolicy: 'Perhaps' },
      [
        'spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
        'spec.unhealthyPodEvictionPolicy: Unsupported value: "Perhaps": supported values: "AlwaysAllow", "IfHealthyBudget"',
      ],
    ],
  ]
  for (const [title, spec, expected] of wrong) test(title, () => assert.deepEqual(budget(spec).errors, expected))

  test('may change all it says, but only by who knows what it said before', () => {
    const changed = podDisruptionBudgets.update(budget({ minAvailable: 1, selector: { matchLabels: { a: 'b' } } }), {
      spec: { minAvailable: null, maxUnavailable: 2, selector: { matchLabels: { c: 'd' } } },
    })
    assert.deepEqual(changed.errors, [])
    assert.equal((changed.object.metadata as JsonObject).generation, 2)
    assert.equal(builtin.type('policy/v1.PodDisruptionBudget').strategy.updatedUnconditionally, false)
  })

  test('has a status with good conditions and numbers', () => {
    const conditions = [
      { type: 'Allowed', status: 'Maybe', reason: '', message: '', lastTransitionTime: null },
      { type: 'Allowed', status: 'True', reason: 'Fine', message: '', lastTransitionTime: '2024-01-01T00:00:00Z' },
    ]
    assert.deepEqual(
      podDisruptionBudgets.update(budget({}), { status: { conditions, expectedPods: -1 } }, 'status').errors,
      [
        'status.conditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
        'status.conditions[0].lastTransitionTime: Required value: must be set',
        'status.conditions[0].reason: Required value: must be set',
        'status.conditions[1].type: Duplicate value: "Allowed"',
        'status.expectedPods: Invalid value: -1: must be greater than or equal to 0',
      ],
    )
  })

  test('is shown with what it says', () => {
    const row = podDisruptionBudgets.row(
      podDisruptionBudgets.update(budget({ minAvailable: '50%' }), { status: { disruptionsAllowed: 2 } }, 'status'),
    )
    assert.deepEqual([row['Min Available'], row['Max Unavailable'], row['Allowed Disruptions']], ['50%', 'N/A', 2])
    assert.equal(podDisruptionBudgets.row(budget({ maxUnavailable: 1 }))['Max Unavailable'], '1')
  })
})
