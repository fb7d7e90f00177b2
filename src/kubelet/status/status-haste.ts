import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'

/** Whether somebody waits for this change: endpoints for a pod that is ready or not, jobs for its end, everybody for one that is to go. */
export function isUrgent(before: PodStatus | undefined, after: PodStatus, { metadata }: Pod): boolean {
  if (metadata.deletionTimestamp !== undefined) return true
  return (before?.phase ?? 'Pending') !== after.phase || isReady(before) !== isReady(after)
}

function isReady(status: PodStatus | undefined): boolean {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True'
}
