import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import { formatTime } from '../../schema/values/time.js'
import { isReady } from '../pods/readiness.js'
import { forEachConcurrently } from '../runtime/concurrency.js'
import type { ReconcileContext } from '../runtime/reconcile.js'

const writtenAtOnce = 16

type MarkContext = Pick<ReconcileContext, 'client' | 'events' | 'environment'>

/** Nobody knows how pods are on a node that is not ready: they no longer count as ready. Throws if one could not be marked. */
export function markPodsNotReady(pods: Iterable<Pod>, context: MarkContext): Promise<void> {
  const ready = [...pods].filter(isReady)
  return forEachConcurrently(ready, writtenAtOnce, (pod) => mark(pod, context))
}

async function mark(pod: Pod, { client, events, environment }: MarkContext): Promise<void> {
  const lastTransitionTime = formatTime(environment.clock.now())
  const conditions = pod.status.conditions!.map((condition) =>
    condition.type === 'Ready' ? { ...condition, status: 'False' as const, lastTransitionTime } : condition,
  )
  try {
    await client
      .resource(Pod)
      .subresource('status')
      .update({ ...pod, status: { ...pod.status, conditions } })
  } catch (error) {
    if (hasReason(error, 'NotFound')) return
    throw error
  }
  events.record({ about: pod, type: 'Warning', reason: 'NodeNotReady', message: 'Node is not ready' })
}
