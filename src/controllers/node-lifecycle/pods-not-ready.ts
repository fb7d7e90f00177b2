import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import { formatTime } from '../../schema/values/time.js'
import { isReady } from '../pods/readiness.js'
import { atOnce } from '../runtime/concurrency.js'
import type { World } from '../runtime/reconcile.js'

const writtenAtOnce = 16

type Hands = Pick<World, 'client' | 'events' | 'environment'>

/** Nobody knows how pods are on a node that is not ready: they no longer count as ready. Throws if one could not be marked. */
export function markNotReady(pods: Iterable<Pod>, world: Hands): Promise<void> {
  const ready = [...pods].filter(isReady)
  return atOnce(ready, writtenAtOnce, (pod) => mark(pod, world))
}

async function mark(pod: Pod, { client, events, environment }: Hands): Promise<void> {
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
