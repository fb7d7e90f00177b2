import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../api/policy/v1/pod-disruption-budget.js'
import { formatTime } from '../../schema/values/time.js'
import { budgetStatus, countHealthy, countsScale, desiredPods, failedBudgetStatus } from './budget-status.js'
import { printedSelector } from './decide.js'
import { disruptedPods } from './disrupted-pods.js'

const now = Date.UTC(2026, 0, 1)

function budget(spec: Partial<PodDisruptionBudget['spec']>, status: Partial<PodDisruptionBudgetStatus> = {}) {
  return { metadata: { name: 'b', namespace: 'shop', generation: 3 }, spec, status } as unknown as PodDisruptionBudget
}

function pod(name: string, options: { isReady?: boolean; isTerminating?: boolean } = {}): Pod {
  const { isReady = true, isTerminating = false } = options
  const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }]
  return {
    metadata: { name, ...(isTerminating && { deletionTimestamp: 'then' }) },
    status: { conditions },
  } as unknown as Pod
}

describe('a budget requires', () => {
  for (const [spec, expected, desired] of [
    [{ minAvailable: 2 }, 5, 2],
    [{ minAvailable: '50%' }, 5, 3],
    [{ minAvailable: '100%' }, 5, 5],
    [{ maxUnavailable: 1 }, 5, 4],
    [{ maxUnavailable: 9 }, 5, 0],
    [{ maxUnavailable: '50%' }, 5, 2],
    [{ maxUnavailable: '0%' }, 5, 5],
    [{ maxUnavailable: 0 }, 0, 0],
  ] as const)
    test(`${desired} of ${expected} pods by ${JSON.stringify(spec)}`, () => {
      assert.deepEqual(desiredPods(budget(spec), expected), { expected, desired })
    })

  test('the number of expected pods, unless it has an absolute minimum', () => {
    assert.equal(countsScale(budget({ minAvailable: 2 })), false)
    assert.equal(countsScale(budget({ minAvailable: '2%' })), true)
    assert.equal(countsScale(budget({ maxUnavailable: 2 })), true)
  })
})

test('pods are healthy if they are ready, not being deleted and not to be evicted', () => {
  const pods = [pod('a'), pod('b', { isReady: false }), pod('c', { isTerminating: true }), pod('d')]
  assert.equal(countHealthy(pods, { d: 'then' }), 1)
})

describe('the status of a budget', () => {
  const counted = { expected: 3, desired: 2, healthy: 3, disrupted: {} }

  test('has the number of allowed disruptions', () => {
    assert.deepEqual(budgetStatus(budget({}), counted, now), {
      observedGeneration: 3,
      disruptionsAllowed: 1,
      currentHealthy: 3,
      desiredHealthy: 2,
      expectedPods: 3,
      conditions: [
        {
          type: 'DisruptionAllowed',
          observedGeneration: 3,
          lastTransitionTime: '2026-01-01T00:00:00Z',
          status: 'True',
          reason: 'SufficientPods',
          message: '',
        },
      ],
    })
  })

  test('allows no disruption if too few pods are healthy, or none are expected', () => {
    for (const less of [{ healthy: 1 }, { expected: 0, desired: 0 }]) {
      const { disruptionsAllowed, conditions } = budgetStatus(budget({}), { ...counted, ...less }, now)
      assert.equal(disruptionsAllowed, 0)
      assert.equal(conditions?.[0]?.reason, 'InsufficientPods')
    }
  })

  test('keeps the transition time while the condition stays the same', () => {
    const first = budgetStatus(budget({}), counted, now)
    const second = budgetStatus(budget({}, first), { ...counted, healthy: 4 }, now + 60_000)
    assert.deepEqual(second.conditions, first.conditions)
    const third = budgetStatus(budget({}, second), { ...counted, healthy: 2 }, now + 90_000)
    assert.equal(third.conditions?.[0]?.lastTransitionTime, '2026-01-01T00:01:30Z')
  })

  test('allows no disruption if it cannot be calculated', () => {
    const before = budgetStatus(budget({}), counted, now)
    const { disruptionsAllowed, expectedPods, conditions } = failedBudgetStatus(budget({}, before), 'why', now)
    assert.deepEqual([disruptionsAllowed, expectedPods], [0, 3])
    assert.deepEqual([conditions?.[0]?.reason, conditions?.[0]?.message], ['SyncFailed', 'why'])
  })
})

test('pods whose eviction was granted have two minutes to go', () => {
  const time = (seconds: number) => formatTime(now + 1000 * seconds)
  const granted = { going: time(-10), gone: time(-10), late: time(-121), soon: time(-100), later: time(-50) }
  const pods = [pod('going', { isTerminating: true }), pod('late'), pod('soon'), pod('later'), pod('other')]
  const { pods: left, overdue, next } = disruptedPods(budget({}, { disruptedPods: granted }), pods, now)
  assert.deepEqual(left, { soon: granted.soon, later: granted.later })
  assert.deepEqual(overdue, [pods[1]])
  assert.equal(next, now + 20_000)
  assert.deepEqual(disruptedPods(budget({}), pods, now), { pods: {}, overdue: [] })
})

test('a selector is printed as upstream prints it', () => {
  assert.equal(
    printedSelector({
      matchLabels: { b: 'c', a: 'b' },
      matchExpressions: [{ key: 'k', operator: 'In', values: ['x', 'y'] }],
    }),
    '&LabelSelector{MatchLabels:map[string]string{a: b,b: c,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},},}',
  )
})
