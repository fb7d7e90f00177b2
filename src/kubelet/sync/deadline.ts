import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Verdict } from '../status/situation.js'

export const deadlineExceeded: Verdict = {
  phase: 'Failed',
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
}

/** When the pod's time is up, in milliseconds since the epoch; undefined if it has all the time in the world. */
export function deadlineOf({ spec }: Pod, { startTime }: PodStatus): number | undefined {
  if (spec?.activeDeadlineSeconds === undefined || startTime === undefined) return undefined
  return Date.parse(startTime) + spec.activeDeadlineSeconds * 1000
}
