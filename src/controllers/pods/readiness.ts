import type { PodCondition } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { parseTime } from '../../schema/values/time.js'

/** Whether no container of the pod will run again. */
export function hasEnded({ status }: Pod): boolean {
  return status.phase === 'Succeeded' || status.phase === 'Failed'
}

/** Whether it counts as a replica: it runs or will run, and is not being deleted. */
export function isActive(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp === undefined && !hasEnded(pod)
}

/** Whether it is being deleted and has not ended yet. */
export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !hasEnded(pod)
}

export function readyCondition({ status }: Pod): PodCondition | undefined {
  return status.conditions?.find(({ type }) => type === 'Ready')
}

export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === 'True'
}

/** When it became ready, in milliseconds since the epoch; undefined if it is not ready or the time is unknown. */
export function readySince(pod: Pod): number | undefined {
  const condition = readyCondition(pod)
  if (condition?.status !== 'True' || !condition.lastTransitionTime) return undefined
  return parseTime(condition.lastTransitionTime)
}

/** Whether it has been ready for long enough at `now`. */
export function isAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  return millisecondsToAvailable(pod, minReadySeconds, now) === 0
}

/** Milliseconds until the pod is available if it stays ready; infinite for a pod that is not ready. */
export function millisecondsToAvailable(pod: Pod, minReadySeconds: number, now: number): number {
  if (!isReady(pod)) return Number.POSITIVE_INFINITY
  if (minReadySeconds === 0) return 0
  const since = readySince(pod)
  return since === undefined ? Number.POSITIVE_INFINITY : Math.max(since + minReadySeconds * 1000 - now, 0)
}

/** Milliseconds until the next of these pods becomes available if none changes; undefined if none will. */
export function nextAvailability(pods: Iterable<Pod>, minReadySeconds: number, now: number): number | undefined {
  let next = Number.POSITIVE_INFINITY
  for (const pod of pods) {
    const wait = millisecondsToAvailable(pod, minReadySeconds, now)
    if (wait > 0 && wait < next) next = wait
  }
  return Number.isFinite(next) ? next : undefined
}
