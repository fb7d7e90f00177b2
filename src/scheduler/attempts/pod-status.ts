import type { PodCondition } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'

/** What an attempt has to say about a pod that was not placed. */
export interface UnscheduledStatus {
  readonly reason: 'Unschedulable' | 'SchedulerError'
  readonly message: string
  /** '' if the pod is to be placed nowhere; undefined if what was said before stays. */
  readonly nominatedNode?: string | undefined
}

/** The patch that says it; undefined if the pod says so already. Only for the very pod as it was seen: nobody writes over a binding. */
export function unscheduledStatusPatch(pod: Pod, news: UnscheduledStatus, time: string): object | undefined {
  const { uid, resourceVersion } = pod.metadata
  const condition = changedCondition(pod, news, time)
  const nominated = changedNomination(pod, news)
  if (!condition && !nominated) return undefined
  return { metadata: { uid, resourceVersion }, status: { ...(condition && { conditions: [condition] }), ...nominated } }
}

function changedCondition(pod: Pod, { reason, message }: UnscheduledStatus, time: string): PodCondition | undefined {
  const known = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
  const { generation: observedGeneration } = pod.metadata
  const isSame =
    known?.status === 'False' &&
    known.reason === reason &&
    known.message === message &&
    known.observedGeneration === observedGeneration
  if (isSame) return undefined
  const lastTransitionTime = known?.status === 'False' ? (known.lastTransitionTime ?? time) : time
  return {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null as never, // it is written, and says nothing
    lastTransitionTime,
    reason,
    message,
    ...(observedGeneration !== undefined && { observedGeneration }),
  }
}

function changedNomination({ status }: Pod, { nominatedNode }: UnscheduledStatus): object | undefined {
  if (nominatedNode === undefined || nominatedNode === (status?.nominatedNodeName ?? '')) return undefined
  return { nominatedNodeName: nominatedNode || null }
}
