import type { Job } from '../../api/batch/v1/job.js'
import { parseTime } from '../../schema/values/time.js'

/** Milliseconds until the job is to be removed; undefined if it is not, or somebody is at it already. */
export function remainingLife({ metadata, spec, status }: Job, now: number): number | undefined {
  const { ttlSecondsAfterFinished } = spec
  if (ttlSecondsAfterFinished === undefined || metadata.deletionTimestamp !== undefined) return undefined
  const end = status.conditions?.find(
    (condition) => (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True',
  )
  if (end?.lastTransitionTime === undefined) return undefined
  return Math.max(0, parseTime(end.lastTransitionTime) + ttlSecondsAfterFinished * 1000 - now)
}
