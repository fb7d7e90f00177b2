import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../../../schema/declaration.js'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'

const jobs = new KindHarness('batch/v1.Job')
const podSpec = { restartPolicy: 'Never', containers: [{ name: 'app', image: 'app:1' }] }
const startTime = '2024-01-01T00:00:00Z'
const completionTime = '2024-01-01T00:05:00Z'

/** A job of which `before` was reported, in whatever state that is. */
const job = (before: JsonObject = {}, spec: JsonObject = {}) => {
  const written = jobs.create({ spec: { template: { spec: podSpec }, ...spec } })
  return { ...written, object: { ...written.object, status: before } }
}
const report = (status: JsonObject, before: JsonObject = {}, spec: JsonObject = {}) =>
  jobs.update(job(before, spec), { status }, 'status').errors
const conditions = (...types: string[]) => types.map((type) => ({ type, status: 'True' }))
const complete = { conditions: conditions('SuccessCriteriaMet', 'Complete'), startTime, completionTime }
const failed = { conditions: conditions('FailureTarget', 'Failed'), startTime }
const indexed = { completionMode: 'Indexed', completions: 5, parallelism: 2 }

describe('the status of a job', () => {
  test('may tell the whole of a good story', () => {
    const steps: readonly JsonObject[] = [
      { startTime, active: 1, uncountedTerminatedPods: {} },
      { ready: 1 },
      { active: null, ready: null, uncountedTerminatedPods: { succeeded: ['a'] } },
      { succeeded: 1, uncountedTerminatedPods: { succeeded: null } },
      { conditions: conditions('SuccessCriteriaMet') },
      complete,
    ]
    let written = job()
    for (const status of steps) {
      const next = jobs.update(written, { status }, 'status')
      assert.deepEqual(next.errors, [], JSON.stringify(status))
      written = next as typeof written
    }
    assert.deepEqual(report(failed, { startTime, failed: 7 }), [])
  })

  const none = 'status.conditions: Invalid value: '
  const wrong: readonly (readonly [string, readonly string[], Parameters<typeof report>])[] = [
    [
      'counts from zero',
      [
        'status.active: Invalid value: -1: must be greater than or equal to 0',
        'status.succeeded: Invalid value: -1: must be greater than or equal to 0',
        'status.failed: Invalid value: -1: must be greater than or equal to 0',
        'status.ready: Invalid value: -1: must be greater than or equal to 0',
        'status.terminating: Invalid value: -1: must be greater than or equal to 0',
        'status.failed: Invalid value: -1: cannot decrease the failed counter',
        'status.succeeded: Invalid value: -1: cannot decrease the succeeded counter',
      ],
      [{ active: -1, succeeded: -1, failed: -1, ready: -1, terminating: -1 }],
    ],
    [
      'counts each pod once',
      [
        'status.uncountedTerminatedPods.succeeded[1]: Duplicate value: "a"',
        'status.uncountedTerminatedPods.failed[0]: Invalid value: "": must not be empty',
        'status.uncountedTerminatedPods.failed[1]: Duplicate value: "a"',
      ],
      [{ uncountedTerminatedPods: { succeeded: ['a', 'a'], failed: ['', 'a'] } }],
    ],
    [
      'does not succeed and fail',
      [
        `${none}cannot set Complete=True and Failed=true conditions`,
        `${none}cannot set Complete=True and FailureTarget=true conditions`,
        `${none}cannot set SuccessCriteriaMet=True and Failed=true conditions`,
        `${none}cannot set SuccessCriteriaMet=True and FailureTarget=true conditions`,
      ],
      [{ ...complete, conditions: conditions('SuccessCriteriaMet', 'Complete', 'FailureTarget', 'Failed') }],
    ],
    [
      'has a reason to be finished',
      [
        'status.completionTime: Required value: completionTime is required for Complete jobs',
        `${none}cannot set Complete=True condition without the SuccessCriteriaMet=true condition`,
        'status.active: Invalid value: 1: active>0 is invalid for finished job',
        'status.startTime: Required value: startTime is required for finished job',
        'status.uncountedTerminatedPods: Invalid value: {"Succeeded":null,"Failed":["a"]}: uncountedTerminatedPods needs to be empty for finished job',
        'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
      ],
      [{ conditions: conditions('Complete'), active: 1, terminating: 1, uncountedTerminatedPods: { failed: ['a'] } }],
    ],
    [
      'has a reason to have failed',
      [`${none}cannot set Failed=True condition without the FailureTarget=true condition`],
      [{ conditions: conditions('Failed'), startTime }],
    ],
    [
      'is not complete before it began, or without being complete',
      [
        'status.completionTime: Invalid value: "2023-01-01T00:00:00Z": cannot set completionTime when there is no Complete=True condition',
        'status.completionTime: Invalid value: "2023-01-01T00:00:00Z": completionTime cannot be set before startTime',
      ],
      [{ startTime, completionTime: '2023-01-01T00:00:00Z' }],
    ],
    [
      'meets the criteria that the job has',
      [
        `${none}cannot set Complete=True condition without the SuccessCriteriaMet=true condition`,
        `${none}cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True`,
      ],
      [
        { ...complete, conditions: conditions('Complete') },
        {},
        { ...indexed, successPolicy: { rules: [{ succeededCount: 1 }] } },
      ],
    ],
    [
      'names indexes that the job has',
      ['status.completedIndexes: Invalid value: "0-9": error parsing completedIndexes: too large index: "9"'],
      [{ completedIndexes: '0-9' }, {}, indexed],
    ],
    [
      'names no indexes of a job without them',
      [
        'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
        'status.failedIndexes: Invalid value: "": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
      ],
      [{ completedIndexes: '0', failedIndexes: '' }],
    ],
    [
      'has no index that succeeded and failed',
      ['status.failedIndexes: Invalid value: "2-3": failedIndexes and completedIndexes overlap at index: 2'],
      [{ completedIndexes: '0-2', failedIndexes: '2-3' }, {}, { ...indexed, backoffLimitPerIndex: 1 }],
    ],
    [
      'has no more pods ready than active',
      ['status.ready: Invalid value: 2: cannot set more ready pods than active'],
      [{ active: 1, ready: 2 }],
    ],
    [
      'does not take back an end',
      [
        'status.completionTime: Invalid value: "2024-01-01T00:05:00Z": cannot set completionTime when there is no Complete=True condition',
        `${none}cannot disable the terminal Complete=True condition`,
        `${none}cannot disable the SuccessCriteriaMet=True condition`,
      ],
      [{ conditions: null }, complete],
    ],
    [
      'does not take back a failure',
      [
        `${none}cannot disable the terminal Failed=True condition`,
        `${none}cannot disable the terminal FailureTarget=True condition`,
      ],
      [{ conditions: null }, failed],
    ],
    [
      'does not count back',
      [
        'status.failed: Invalid value: 0: cannot decrease the failed counter',
        'status.succeeded: Invalid value: 2: cannot decrease the succeeded counter',
      ],
      [
        { failed: 0, succeeded: 2 },
        { failed: 1, succeeded: 3 },
      ],
    ],
    [
      'does not move its times',
      [
        'status.completionTime: Invalid value: "2024-01-01T00:06:00Z": completionTime cannot be mutated',
        'status.startTime: Required value: startTime cannot be removed for unsuspended job',
      ],
      [{ startTime: '2024-01-01T00:01:00Z', completionTime: '2024-01-01T00:06:00Z' }, complete],
    ],
  ]
  for (const [title, expected, given] of wrong) test(title, () => assert.deepEqual(report(...given), expected))

  test('lets pass what was wrong before', () => {
    const bad = { conditions: conditions('Complete'), active: 1, completedIndexes: '9-1' }
    assert.deepEqual(report({ failed: 1 }, bad), [])
  })

  test('forgets its beginning when the job is suspended, and indexes when it shrinks', () => {
    assert.deepEqual(report({ startTime: null }, { startTime }, { suspend: true }), [])
    assert.deepEqual(report({ succeeded: 1 }, { succeeded: 3 }, { ...indexed, completions: 2 }), [])
  })
})
