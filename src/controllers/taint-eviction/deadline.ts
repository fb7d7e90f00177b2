import type { Pod } from '../../api/core/v1/pod.js'
import { tolerates } from '../../api/core/v1/taint/tolerations.js'
import type { Taint } from '../../api/core/v1/taint.js'
import { parseTime } from '../../schema/values/time.js'

export function noExecuteTaints(taints: readonly Taint[] | undefined): readonly Taint[] {
  return (taints ?? []).filter(({ effect }) => effect === 'NoExecute')
}

/**
 * Until when a pod may stay, in milliseconds since the epoch: infinite for ever, `now` if it has to go at once. Each taint counts from when it
 * was added, or from when the pod came to the node if that was later.
 */
export function deadline(pod: Pod, taints: readonly Taint[], now: number): number {
  return Math.min(Number.POSITIVE_INFINITY, ...taints.map((taint) => deadlineBy(taint, pod, now)))
}

function deadlineBy(taint: Taint, pod: Pod, now: number): number {
  const toleration = pod.spec.tolerations?.find((each) => tolerates(each, taint))
  if (!toleration) return now
  const { tolerationSeconds } = toleration
  if (tolerationSeconds === undefined) return Number.POSITIVE_INFINITY
  if (tolerationSeconds <= 0) return now
  return Math.max(since(taint, pod, now) + tolerationSeconds * 1000, now)
}

function since({ timeAdded }: Taint, pod: Pod, now: number): number {
  if (!timeAdded) return now
  const scheduled = pod.status.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'True')
  const times = [timeAdded, pod.metadata.creationTimestamp, scheduled?.lastTransitionTime]
  return Math.min(Math.max(...times.flatMap((time) => (time ? [parseTime(time)] : []))), now)
}
