import type { PodCondition } from '../../api/core/v1/pod/status.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { Metrics } from '../../base/metrics.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import { parseKey } from '../../client/informers/informer.js'
import { formatTime } from '../../schema/values/time.js'
import { unlessNotFound } from '../runtime/failures.js'
import type { ReconcileContext } from '../runtime/reconcile.js'

/** The event names the pod without its uid: another pod may have the name by then. */
export function recordEvictionEvent(
  events: EventRecorder,
  key: string,
  what: 'Marking for deletion' | 'Cancelling deletion of',
): void {
  const about = { apiVersion: 'v1', kind: 'Pod', metadata: parseKey(key) }
  events.record({ about, type: 'Normal', reason: 'TaintManagerEviction', message: `${what} Pod ${key}` })
}

/** Sets the condition that says why the pod goes, then deletes it. */
export async function evict(pod: Pod, { client, environment }: ReconcileContext): Promise<void> {
  const { namespace = '', name = '', uid = '' } = pod.metadata
  const pods = client.resource(Pod).in(namespace)
  const condition = disruptionCondition(pod, formatTime(environment.clock.now()))
  if (condition) {
    const patch = { metadata: { uid }, status: { conditions: [condition] } }
    const patched = await unlessNotFound(pods.subresource('status').patch(name, 'strategic', patch))
    if (!patched) return
  }
  await unlessNotFound(pods.delete(name, { preconditions: { uid } }))
}

/** Undefined if the pod has the condition. */
function disruptionCondition({ metadata, status }: Pod, now: string): PodCondition | undefined {
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

/** In seconds, as upstream has them. */
const buckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30, 60, 120, 180, 240]

/** Counts a pod that was evicted `late` milliseconds after the planned time, in upstream's metrics. */
export function countEviction(metrics: Metrics, late: number): void {
  const prefix = 'taint_eviction_controller'
  metrics.counter({ name: `${prefix}_pod_deletions_total`, help: 'Pods that were evicted because of taints.' }).inc()
  const name = `${prefix}_pod_deletion_duration_seconds`
  const help = 'Time between when a pod was to be evicted and when it was.'
  metrics.histogram({ name, help, buckets }).observe(late / 1000)
}
