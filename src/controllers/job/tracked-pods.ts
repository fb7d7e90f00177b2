/** What a job reads from its pods. */
import type { Job } from '../../api/batch/v1/job.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { parseTime } from '../../schema/values/time.js'
import { readyCondition } from '../pods/readiness.js'

/** A pod with it is not counted yet. It stays until it is, even if its node or the pod itself is deleted. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking'
/** Annotation and label of the pods of an indexed job. */
export const completionIndexKey = 'batch.kubernetes.io/job-completion-index'
/** How many pods of the same index failed before, if there is a backoff limit per index. */
export const failureCountAnnotation = 'batch.kubernetes.io/job-index-failure-count'
export const ignoredFailureCountAnnotation = 'batch.kubernetes.io/job-index-ignored-failure-count'

export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) ?? false
}

/** Undefined if the annotation is absent or not a whole number. */
export function completionIndexOf({ metadata }: Pod): number | undefined {
  return wholeNumber(metadata.annotations?.[completionIndexKey])
}

/** Whether the job can count it: a pod of an indexed job must have a valid index. */
export function isCountable(pod: Pod, { spec }: Job): boolean {
  if (spec.completionMode !== 'Indexed') return true
  const index = completionIndexOf(pod)
  return index !== undefined && index < (spec.completions ?? 0)
}

/** Whether a pod is replaced only when it has failed: one that is being deleted may still succeed. */
export function replacesOnlyFailed({ spec }: Job): boolean {
  return spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined
}

/** A pod that is being deleted counts as failed, unless the job waits for its end. Pods of a lost node would never end. */
export function hasFailed(pod: Pod, job: Job): boolean {
  if (pod.status.phase === 'Failed') return true
  if (pod.status.phase === 'Succeeded' || replacesOnlyFailed(job)) return false
  return pod.metadata.deletionTimestamp !== undefined
}

/** Failures of its index before this pod: counted and ignored ones. */
export function earlierFailures({ metadata }: Pod): { readonly counted: number; readonly ignored: number } {
  const read = (annotation: string) => {
    const count = wholeNumber(metadata.annotations?.[annotation]) ?? 0
    return count < 2 ** 31 ? count : 0
  }
  return { counted: read(failureCountAnnotation), ignored: read(ignoredFailureCountAnnotation) }
}

/** When it ended, in milliseconds since the epoch, as exactly as known. */
export function finishedAt(pod: Pod): number {
  return parseTime(endOfContainers(pod) ?? endOfReadiness(pod) ?? endByDeletion(pod) ?? pod.metadata.creationTimestamp!)
}

function endOfContainers({ status }: Pod): string | undefined {
  const ends = (status.containerStatuses ?? []).map(({ state }) => state?.terminated?.finishedAt)
  const known = ends.filter((end) => end !== undefined)
  return known.length === ends.length ? known.sort().at(-1) : undefined
}

function endOfReadiness(pod: Pod): string | undefined {
  const condition = readyCondition(pod)
  return condition?.status === 'False' ? condition.lastTransitionTime : undefined
}

/** When the deletion was requested: the deletion timestamp is the end of the grace period. */
function endByDeletion({ metadata }: Pod): string | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata
  if (deletionTimestamp === undefined) return undefined
  return new Date(parseTime(deletionTimestamp) - deletionGracePeriodSeconds * 1000).toISOString()
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\+?\d+$/.test(text) ? Number(text) : undefined
}
