import type { PodCondition } from '../../api/core/v1/pod/status.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { Client } from '../../client/client.js'
import { unlessNotFound } from '../runtime/failures.js'
import type { CollectedPod } from './decide.js'

/** Deletes a pod at once. No kubelet reports that the pod has ended, so this sets its phase to Failed first. */
export async function forceDelete(client: Client, { pod, reason }: CollectedPod, now: string): Promise<void> {
  const { namespace = '', name = '', uid = '' } = pod.metadata
  const pods = client.resource(Pod).in(namespace)
  const status = failedPodStatus(pod, { isOrphaned: reason === 'orphaned', now })
  if (status) {
    const patch = { metadata: { uid }, status }
    const patched = await unlessNotFound(pods.subresource('status').patch(name, 'strategic', patch))
    if (!patched) return
  }
  await unlessNotFound(pods.delete(name, { gracePeriodSeconds: 0, preconditions: { uid } }))
}

interface FailureContext {
  readonly isOrphaned: boolean
  readonly now: string
}

/** The change of the status of a pod that has not ended; undefined for one that has. */
export function failedPodStatus(
  { metadata, status }: Pod,
  { isOrphaned, now }: FailureContext,
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
