import type { PodCondition } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'

/** What an attempt that found no node writes into the status of the pod. */
export interface UnscheduledStatus {
  readonly reason: 'Unschedulable' | 'SchedulerError'
  readonly message: string
  /** '' removes the nomination; undefined keeps it. */
  readonly nominatedNode?: string | undefined
}

/** The patch for the status; undefined if it would change nothing. Names the resource version, so that it cannot overwrite a binding. */
export function unscheduledStatusPatch(pod: Pod, status: UnscheduledStatus, time: string): object | undefined {
  const { uid, resourceVersion } = pod.metadata
  const condition = changedCondition(pod, status, time)
  const nomination = changedNomination(pod, status)
  if (!condition && !nomination) return undefined
  return {
    metadata: { uid, resourceVersion },
    status: { ...(condition && { conditions: [condition] }), ...nomination },
  }
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
    lastProbeTime: null as never, // upstream writes it as null
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
