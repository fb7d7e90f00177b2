import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PodFailurePolicy, SuccessPolicy } from '../../api/batch/v1/job/pod-failure-policy.js'
import { matchFailurePolicy } from './failure-policy.js'
import { IndexSet } from './index-set.js'
import { pod } from './job.test.kit.js'
import { matchSuccessPolicy } from './success-policy.js'

describe('what a policy says of a pod that failed', () => {
  const policy: PodFailurePolicy = {
    rules: [
      { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      { action: 'FailJob', onExitCodes: { containerName: 'c', operator: 'In', values: [42, 43] } },
      { action: 'FailIndex', onExitCodes: { operator: 'In', values: [44] } },
      { action: 'Count', onExitCodes: { containerName: 'other', operator: 'NotIn', values: [1] } },
      { action: 'FailJob', onPodConditions: [{ type: 'ConfigIssue', status: 'True' }] },
    ],
  }
  const failed = (exitCode: number) => pod('p', { phase: 'Failed', exitCode })

  test('comes from the first rule that fits', () => {
    const disrupted = pod('p', { exitCode: 42, conditions: [{ type: 'DisruptionTarget', status: 'True' }] })
    assert.deepEqual(matchFailurePolicy(policy, disrupted), { action: 'Ignore' })
    assert.deepEqual(matchFailurePolicy(policy, failed(44)), { action: 'FailIndex' })
  })

  test('names container, pod and rule where the job fails by an exit code', () =>
    assert.deepEqual(matchFailurePolicy(policy, failed(42)), {
      action: 'FailJob',
      message: 'Container c for pod default/p failed with exit code 42 matching FailJob rule at index 1',
    }))

  test('names the condition where the job fails by one', () =>
    assert.deepEqual(matchFailurePolicy(policy, pod('p', { conditions: [{ type: 'ConfigIssue', status: 'True' }] })), {
      action: 'FailJob',
      message: 'Pod default/p has condition ConfigIssue matching FailJob rule at index 4',
    }))

  test('is nothing if no rule fits, or there is none', () => {
    assert.deepEqual(matchFailurePolicy(policy, failed(1)), {})
    assert.deepEqual(matchFailurePolicy(undefined, failed(42)), {})
    const notYet = pod('p', { conditions: [{ type: 'DisruptionTarget', status: 'False' }] })
    assert.deepEqual(matchFailurePolicy(policy, notYet), {})
  })

  test('never comes from an exit code of 0', () => {
    const anyBut: PodFailurePolicy = { rules: [{ action: 'Ignore', onExitCodes: { operator: 'NotIn', values: [1] } }] }
    assert.deepEqual(matchFailurePolicy(anyBut, failed(0)), {})
    assert.deepEqual(matchFailurePolicy(anyBut, failed(2)), { action: 'Ignore' })
  })
})

describe('enough has succeeded', () => {
  const cases: readonly (readonly [string, SuccessPolicy['rules'], readonly number[], string | undefined])[] = [
    ['when all indexes of a rule have', [{ succeededIndexes: '0,2' }], [0, 1, 2], 'Matched rules at index 0'],
    ['not while one is missing', [{ succeededIndexes: '0,2' }], [0, 1], undefined],
    ['when so many have', [{ succeededCount: 2 }], [3, 4], 'Matched rules at index 0'],
    [
      'when so many of a rule have',
      [{ succeededIndexes: '0-3', succeededCount: 2 }],
      [1, 3],
      'Matched rules at index 0',
    ],
    ['not when others have', [{ succeededIndexes: '0-1', succeededCount: 1 }], [2, 3], undefined],
    ['when any rule says so', [{ succeededIndexes: '0' }, { succeededCount: 1 }], [4], 'Matched rules at index 1'],
    ['never before anything has', [{ succeededCount: 0 }], [], undefined],
  ]
  for (const [what, rules, succeeded, expected] of cases)
    test(what, () => assert.equal(matchSuccessPolicy({ rules }, IndexSet.of(succeeded), 5), expected))

  test('never without a policy', () => assert.equal(matchSuccessPolicy(undefined, IndexSet.of([0]), 1), undefined))
})
