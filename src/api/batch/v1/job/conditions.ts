import type { Job, JobConditionType } from '../job.js'

type WithConditions = Pick<Job, 'status'>

export function isConditionTrue({ status }: WithConditions, type: JobConditionType): boolean {
  return status.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false
}

/** Whether a job has succeeded or failed. */
export function isFinished(job: WithConditions): boolean {
  return isConditionTrue(job, 'Complete') || isConditionTrue(job, 'Failed')
}
