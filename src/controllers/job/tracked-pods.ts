/** What a job reads from its pods. */
import type { Job } from '../../api/batch/v1/job.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { parseTime } from '../../schema/values/time.js'
import { readyCondition } from '../pods/readiness.js'

/** A pod that carries it has yet to be counted. Nothing that ends gets away uncounted, though its node or the pod itself be deleted. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking'
/** Annotation and label of the pods of an indexed job. */
export const completionIndexKey = 'batch.kubernetes.io/job-completion-index'
/** How often pods of the same index failed before, where each index has its own limit. */
export const failureCountAnnotation = 'batch.kubernetes.io/job-index-failure-count'
export const ignoredFailureCountAnnotation = 'batch.kubernetes.io/job-index-ignored-failure-count'

export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) ?? false
}

/** None if it has none, or one that no index can be. */
export function completionIndexOf({ metadata }: Pod): number | undefined {
  return wholeNumber(metadata.annotations?.[completionIndexKey])
}

/** Whether the job can count it: in an indexed one, every pod stands for an index that there is. */
export function isCountable(pod: Pod, { spec }: Job): boolean {
  if (spec.completionMode !== 'Indexed') return true
  const index = completionIndexOf(pod)
  return index !== undefined && index < (spec.completions ?? 0)
}

/** Only what has failed is replaced; a pod that is still going may yet succeed. */
export function replacesOnlyFailed({ spec }: Job): boolean {
  return spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined
}

/** What is deleted counts as failed, unless the job waits to see how it ends: some pods never get to end, since their node is gone. */
export function hasFailed(pod: Pod, job: Job): boolean {
  if (pod.status.phase === 'Failed') return true
  if (pod.status.phase === 'Succeeded' || replacesOnlyFailed(job)) return false
  return pod.metadata.deletionTimestamp !== undefined
}

/** Failures of its index before this pod: those that count, and those that were ignored. */
export function earlierFailures({ metadata }: Pod): { readonly counted: number; readonly ignored: number } {
  const read = (annotation: string) => {
    const count = wholeNumber(metadata.annotations?.[annotation]) ?? 0
    return count < 2 ** 31 ? count : 0
  }
  return { counted: read(failureCountAnnotation), ignored: read(ignoredFailureCountAnnotation) }
}

/** When it ended, in milliseconds since the epoch; as near as can be told. */
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

/** When it was asked to go: the time written down is that at which it has to be gone. */
function endByDeletion({ metadata }: Pod): string | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata
  if (deletionTimestamp === undefined) return undefined
  return new Date(parseTime(deletionTimestamp) - deletionGracePeriodSeconds * 1000).toISOString()
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\+?\d+$/.test(text) ? Number(text) : undefined
}
