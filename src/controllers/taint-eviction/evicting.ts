import type { PodCondition } from '../../api/core/v1/pod/status.js'
import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import { parsedKey } from '../../client/informers/informer.js'
import { formatTime } from '../../schema/values/time.js'
import type { ReconcileContext } from '../runtime/reconcile.js'

/** Only the name is told: by the time somebody reads it, another pod may have it. */
export function tellOfPod(events: EventRecorder, key: string, what: 'Marking for deletion' | 'Cancelling deletion of') {
  const about = { apiVersion: 'v1', kind: 'Pod', metadata: parsedKey(key) }
  events.record({ about, type: 'Normal', reason: 'TaintManagerEviction', message: `${what} Pod ${key}` })
}

/** Says on the pod itself why it goes, then asks for it to go. */
export async function evict(pod: Pod, { client, environment }: ReconcileContext): Promise<void> {
  const { namespace = '', name = '', uid = '' } = pod.metadata
  const pods = client.resource(Pod).in(namespace)
  try {
    const condition = disruption(pod, formatTime(environment.clock.now()))
    if (condition)
      await pods
        .subresource('status')
        .patch(name, 'strategic', { metadata: { uid }, status: { conditions: [condition] } })
    await pods.delete(name, { preconditions: { uid } })
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
}

/** Undefined if the pod says so already. */
function disruption({ metadata, status }: Pod, now: string): PodCondition | undefined {
  const before = status.conditions?.find(({ type }) => type === 'DisruptionTarget')
  const observedGeneration = metadata.generation ?? 0
  const reason = 'DeletionByTaintManager'
  if (before?.status === 'True' && before.reason === reason && before.observedGeneration === observedGeneration)
    return undefined
  return {
    type: 'DisruptionTarget',
    status: 'True',
    observedGeneration,
    reason,
    message: 'Taint manager: deleting due to NoExecute taint',
    lastTransitionTime: (before?.status === 'True' && before.lastTransitionTime) || now,
  }
}
