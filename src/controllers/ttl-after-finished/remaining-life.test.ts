import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Job } from '../../api/batch/v1/job.js'
import { remainingLife } from './remaining-life.js'

const finishedAt = Date.UTC(2026, 0, 1)

function job(parts: { ttl?: number; type?: string; status?: string; deletionTimestamp?: string }): Job {
  const { ttl, type = 'Complete', status = 'True', deletionTimestamp } = parts
  return {
    metadata: { name: 'j', ...(deletionTimestamp && { deletionTimestamp }) },
    spec: { ...(ttl !== undefined && { ttlSecondsAfterFinished: ttl }) },
    status: { conditions: [{ type, status, lastTransitionTime: '2026-01-01T00:00:00Z' }] },
  } as unknown as Job
}

describe('the life that a job has left', () => {
  for (const [what, parts, elapsed, expected] of [
    ['begins when it completes', { ttl: 30 }, 10_000, 20_000],
    ['begins when it fails', { ttl: 30, type: 'Failed' }, 10_000, 20_000],
    ['ends', { ttl: 30 }, 31_000, 0],
    ['may end at once', { ttl: 0 }, 0, 0],
    ['is without end where nobody limits it', {}, 99_000, undefined],
    ['does not begin while the job runs', { ttl: 30, type: 'FailureTarget' }, 99_000, undefined],
    ['does not begin with a condition that does not hold', { ttl: 30, status: 'False' }, 99_000, undefined],
    ['is over where it is being deleted', { ttl: 30, deletionTimestamp: 'then' }, 99_000, undefined],
  ] as const)
    test(what, () => assert.equal(remainingLife(job(parts), finishedAt + elapsed), expected))
})
