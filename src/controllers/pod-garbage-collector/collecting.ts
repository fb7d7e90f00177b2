import type { PodCondition } from '../../api/core/v1/pod/status.js'
import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import type { Client } from '../../client/client.js'
import type { Collected } from './plan.js'

/** Deletes a pod at once. Nobody else will say that it has ended, so this says so first. */
export async function collect(client: Client, { pod, reason }: Collected, now: string): Promise<void> {
  const { namespace = '', name = '', uid = '' } = pod.metadata
  const pods = client.resource(Pod).in(namespace)
  const status = failedStatus(pod, { isOrphaned: reason === 'orphaned', now })
  try {
    if (status) await pods.subresource('status').patch(name, 'strategic', { metadata: { uid }, status })
    await pods.delete(name, { gracePeriodSeconds: 0, preconditions: { uid } })
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
}

interface Circumstances {
  readonly isOrphaned: boolean
  readonly now: string
}

/** What changes in the status of a pod that has not ended; undefined for one that has. */
export function failedStatus(
  { metadata, status }: Pod,
  { isOrphaned, now }: Circumstances,
): Partial<Pod['status']> | undefined {
  if (status.phase === 'Succeeded' || status.phase === 'Failed') return undefined
  const observedGeneration = metadata.generation ?? 0
  const failed = { phase: 'Failed', observedGeneration } as const
  if (!isOrphaned) return failed
  const before = status.conditions?.find(({ type }) => type === 'DisruptionTarget')
  const condition: PodCondition = {
    type: 'DisruptionTarget',
    status: 'True',
    observedGeneration,
    reason: 'DeletionByPodGC',
    message: 'PodGC: node no longer exists',
    lastTransitionTime: before?.status === 'True' ? before.lastTransitionTime : now,
  }
  return { ...failed, conditions: [condition] }
}
