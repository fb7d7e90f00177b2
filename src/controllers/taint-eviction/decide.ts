import type { Node } from '../../api/core/v1/node.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { tolerates } from '../../api/core/v1/taint/tolerations.js'
import type { Taint } from '../../api/core/v1/taint.js'
import { parseTime } from '../../schema/values/time.js'

export interface EvictionObservation {
  readonly key: string
  readonly pod: Pod | undefined
  readonly node: Node | undefined
  /** When the pod is to be evicted, as decided before; in milliseconds since the epoch. */
  readonly scheduled: number | undefined
  readonly now: number
}

export type EvictionDecision =
  /** Nothing is planned any more; users hear of it if something was. */
  | { readonly do: 'cancel' }
  /** The pod is being deleted, or not bound: what was planned is void. */
  | { readonly do: 'forget' }
  | { readonly do: 'wait'; readonly until: number }
  | {
      readonly do: 'evict'
      readonly pod: Pod
      /** A later eviction was planned: it is replaced. */
      readonly replacesPlan: boolean
      /** Milliseconds after the planned time. */
      readonly late: number
    }

/** Once an eviction is planned, other tolerations do not move it, unless the pod may stay for ever or must go at once. */
export function decide({ pod, node, scheduled, now }: EvictionObservation): EvictionDecision {
  if (!pod) return { do: 'cancel' }
  if (!pod.spec.nodeName || pod.metadata.deletionTimestamp !== undefined) return { do: 'forget' }
  // If the node is gone, its taints are as well; what was planned because of them stands.
  const until = node ? deadline(pod, noExecuteTaints(node.spec.taints), now) : (scheduled ?? Number.POSITIVE_INFINITY)
  if (until === Number.POSITIVE_INFINITY) return { do: 'cancel' }
  if (until > now && (scheduled ?? until) > now) return { do: 'wait', until: scheduled ?? until }
  const replacesPlan = scheduled !== undefined && scheduled > now
  return { do: 'evict', pod, replacesPlan, late: replacesPlan ? 0 : now - (scheduled ?? now) }
}

export function noExecuteTaints(taints: readonly Taint[] | undefined): readonly Taint[] {
  return (taints ?? []).filter(({ effect }) => effect === 'NoExecute')
}

/**
 * Until when a pod may stay, in milliseconds since the epoch: infinite for ever, `now` if it has to go at once. The time of a toleration
 * begins when the taint was added, or when the pod came to the node if that was later.
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
  return Math.max(startOf(taint, pod, now) + tolerationSeconds * 1000, now)
}

function startOf({ timeAdded }: Taint, pod: Pod, now: number): number {
  if (!timeAdded) return now
  const scheduled = pod.status.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'True')
  const times = [timeAdded, pod.metadata.creationTimestamp, scheduled?.lastTransitionTime]
  return Math.min(Math.max(...times.flatMap((time) => (time ? [parseTime(time)] : []))), now)
}
