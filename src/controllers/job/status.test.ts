import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { job, start, stateOf } from './job.test.kit.js'
import { canonical, endedStatus, jobStatus, withDeclaredEnding, withSuspension } from './status.js'

const counts = { active: 1, ready: 1, terminating: 0 }
const ending = { declaredAs: 'SuccessCriteriaMet', endsAs: 'Complete', reason: 'r', message: 'm' } as const
const now = start + 5000
const time = '2026-01-01T00:00:05Z'

describe('the status of a job', () => {
  test('says when the job started, as soon as it does', () => {
    const { startTime: _, ...unstarted } = job().status
    const fresh = (suspend: boolean) => ({ ...job({ spec: { suspend } }), status: unstarted })
    assert.equal(jobStatus(stateOf(fresh(false), [], now), counts).startTime, time)
    assert.equal(jobStatus(stateOf(fresh(true), [], now), counts).startTime, undefined)
  })

  test('leaves out what is nothing, except what the server keeps', () =>
    assert.deepEqual(
      canonical({
        active: 0,
        succeeded: 0,
        ready: 0,
        terminating: 0,
        completedIndexes: '',
        failedIndexes: '',
        conditions: [],
      }),
      { ready: 0, terminating: 0, failedIndexes: '', uncountedTerminatedPods: {} },
    ))
})

describe('a job that is suspended', () => {
  const running = job({ spec: { suspend: true } })
  const suspended = withSuspension(running, running.status, now)

  test('says so once, and its time stops', () => {
    const condition = { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }
    assert.deepEqual(suspended, { conditions: [{ ...condition, lastProbeTime: time, lastTransitionTime: time }] })
    assert.equal(withSuspension({ ...running, status: suspended }, suspended, now + 9000), suspended)
  })

  test('begins anew when it is resumed', () => {
    const resumed = withSuspension({ ...job(), status: suspended }, suspended, now + 1000)
    assert.equal(resumed.startTime, '2026-01-01T00:00:06Z')
    assert.deepEqual(
      resumed.conditions?.map(({ type, status, reason }) => [type, status, reason]),
      [['Suspended', 'False', 'JobResumed']],
    )
  })

  test('says nothing if it never was', () => assert.equal(withSuspension(job(), running.status, now), running.status))
})

describe('a job ends', () => {
  test('in two steps', () => {
    const declared = withDeclaredEnding({}, ending, now)
    assert.deepEqual(
      declared.conditions?.map(({ type }) => type),
      ['SuccessCriteriaMet'],
    )
    assert.equal(withDeclaredEnding(declared, ending, now + 9000), declared)
    const over = endedStatus(declared, ending, now)
    assert.deepEqual(
      over?.conditions?.map(({ type }) => type),
      ['SuccessCriteriaMet', 'Complete'],
    )
    assert.equal(over?.completionTime, time)
  })

  test('without a time of completion where it fails', () => {
    const failed = endedStatus({}, { ...ending, endsAs: 'Failed' }, now)
    assert.deepEqual([failed?.conditions?.[0]?.type, failed?.completionTime], ['Failed', undefined])
  })

  test('not while pods are going or uncounted', () => {
    assert.equal(endedStatus({ terminating: 1 }, ending, now), undefined)
    assert.equal(endedStatus({ uncountedTerminatedPods: { failed: ['u'] } }, ending, now), undefined)
  })
})
