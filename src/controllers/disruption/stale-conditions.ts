import type { PodCondition } from '../../api/core/v1/pod/status.js'
import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import { type Change, keyOf } from '../../client/informers/informer.js'
import { formatTime, parseTime } from '../../schema/values/time.js'
import { hasEnded } from '../pods/readiness.js'
import { controller } from '../runtime/builder.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'

/** So long, in milliseconds, a pod may say that it goes before somebody asks it to go. */
const patience = 120_000

/** Takes back what was said of pods that were to go and stayed. */
export const staleConditions = controller('stale_pod_disruption')
  .watches(Pod, ({ type, object }: Change<Pod>) => (type !== 'deleted' && isToGo(object) ? [keyOf(object)] : []))
  .workers(1)
  .reconcile(takeBack)

/** Of those that the kubelet ends, it is known that they go, however long it takes. */
function isToGo(pod: Pod): boolean {
  const condition = disruption(pod)
  if (pod.metadata.deletionTimestamp !== undefined || hasEnded(pod)) return false
  return condition?.status === 'True' && condition.reason !== 'TerminationByKubelet'
}

function disruption({ status }: Pod): PodCondition | undefined {
  return status.conditions?.find(({ type }) => type === 'DisruptionTarget')
}

async function takeBack(
  key: string,
  { client, informers, environment }: ReconcileContext,
): Promise<ReconcileResult | undefined> {
  const pod = informers.of(Pod).get(key)
  if (!pod || !isToGo(pod)) return undefined
  const now = environment.clock.now()
  const since = disruption(pod)?.lastTransitionTime
  const left = since ? parseTime(since) + patience - now : 0
  if (left > 0) return { requeueAfter: left }
  const observedGeneration = pod.metadata.generation ?? 0
  const condition = { type: 'DisruptionTarget', status: 'False', observedGeneration } as const
  const conditions = pod.status.conditions!.map((each) =>
    each.type === condition.type ? { ...condition, lastTransitionTime: formatTime(now) } : each,
  )
  try {
    await client
      .resource(Pod)
      .subresource('status')
      .update({ ...pod, status: { ...pod.status, conditions } })
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
  return undefined
}
