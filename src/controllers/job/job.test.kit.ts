import type { Job, JobSpec, JobStatus } from '../../api/batch/v1/job.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { formatTime } from '../../schema/values/time.js'
import { type JobState, jobState } from './job-state.js'
import { completionIndexKey, failureCountAnnotation, trackingFinalizer } from './tracked-pods.js'

/** When all tests begin. */
export const start = Date.UTC(2026, 0, 1)

export interface JobOptions {
  readonly spec?: Partial<JobSpec>
  readonly status?: Partial<JobStatus>
  readonly deletionTimestamp?: string
}

export function job({ spec, status, deletionTimestamp }: JobOptions = {}): Job {
  const template = { metadata: { labels: { job: 'j' } }, spec: { restartPolicy: 'Never', containers: [{ name: 'c' }] } }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j', namespace: 'default', uid: 'job-uid', ...(deletionTimestamp && { deletionTimestamp }) },
    spec: { parallelism: 1, completions: 1, backoffLimit: 6, completionMode: 'NonIndexed', template, ...spec },
    status: { startTime: formatTime(start), ...status },
  } as unknown as Job
}

export interface JobPodOptions {
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed'
  readonly index?: number | string
  /** Failures of its index before it. */
  readonly failures?: number
  readonly isTracked?: boolean
  readonly isTerminating?: boolean
  readonly exitCode?: number
  /** Seconds after the start. */
  readonly finishedAt?: number
  readonly createdAt?: number
  readonly conditions?: readonly { readonly type: string; readonly status: string }[]
  readonly restarts?: number
}

export function pod(name: string, options: JobPodOptions = {}): Pod {
  const { phase = 'Running', index, failures, isTracked = true, isTerminating, conditions, createdAt = 0 } = options
  const annotations = {
    ...(index !== undefined && { [completionIndexKey]: String(index) }),
    ...(failures !== undefined && { [failureCountAnnotation]: String(failures) }),
  }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      annotations,
      creationTimestamp: formatTime(start + createdAt * 1000),
      ...(isTracked && { finalizers: [trackingFinalizer] }),
      ...(isTerminating && { deletionTimestamp: formatTime(start + 30_000), deletionGracePeriodSeconds: 30 }),
    },
    spec: {},
    status: { phase, conditions: conditions ?? [], containerStatuses: containerStatuses(options) },
  } as unknown as Pod
}

function containerStatuses({ exitCode, finishedAt, restarts = 0 }: JobPodOptions): readonly object[] {
  if (exitCode === undefined && finishedAt === undefined && restarts === 0) return []
  const terminated = { exitCode: exitCode ?? 0, finishedAt: formatTime(start + (finishedAt ?? 0) * 1000) }
  const state = exitCode === undefined && finishedAt === undefined ? {} : { terminated }
  return [{ name: 'c', restartCount: restarts, state }]
}

export function stateOf(of: Job, pods: readonly Pod[], now = start): JobState {
  return jobState(of, pods, { failures: { count: 0, last: 0 }, now })
}
