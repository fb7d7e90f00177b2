import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Job } from '../../api/batch/v1/job.js'
import { decide } from './controller.js'

const finishedAt = Date.UTC(2026, 0, 1)

function job(options: { ttl?: number; type?: string; status?: string; deletionTimestamp?: string }): Job {
  const { ttl, type = 'Complete', status = 'True', deletionTimestamp } = options
  return {
    metadata: { name: 'j', ...(deletionTimestamp && { deletionTimestamp }) },
    spec: { ...(ttl !== undefined && { ttlSecondsAfterFinished: ttl }) },
    status: { conditions: [{ type, status, lastTransitionTime: '2026-01-01T00:00:00Z' }] },
  } as unknown as Job
}

describe('a job is deleted', () => {
  for (const [what, options, elapsed, expected] of [
    ['some time after it has completed', { ttl: 30 }, 10_000, 20_000],
    ['some time after it has failed', { ttl: 30, type: 'Failed' }, 10_000, 20_000],
    ['when that time is over', { ttl: 30 }, 31_000, 0],
    ['at once, if its TTL is zero', { ttl: 0 }, 0, 0],
    ['never, if it has no TTL', {}, 99_000, undefined],
    ['not while it runs', { ttl: 30, type: 'FailureTarget' }, 99_000, undefined],
    ['not for a condition that is false', { ttl: 30, status: 'False' }, 99_000, undefined],
    ['not if it is being deleted already', { ttl: 30, deletionTimestamp: 'then' }, 99_000, undefined],
  ] as const)
    test(what, () => assert.equal(decide({ job: job(options), now: finishedAt + elapsed })?.deleteAfter, expected))
})
