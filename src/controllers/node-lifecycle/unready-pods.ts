import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import { type Change, keyOf } from '../../client/informers/informer.js'
import { formatTime } from '../../schema/values/time.js'
import { isReady } from '../pods/readiness.js'
import { controller } from '../runtime/builder.js'
import { forEachConcurrently } from '../runtime/concurrency.js'
import type { Controller, ReconcileContext } from '../runtime/reconcile.js'
import type { LifecycleState } from './lifecycle-state.js'

const concurrentWrites = 16

type MarkContext = Pick<ReconcileContext, 'client' | 'events' | 'environment'>

/** Marks pods as not ready, because the state of their node is unknown. Throws if one of them could not be marked. */
export function markPodsNotReady(pods: Iterable<Pod>, context: MarkContext): Promise<void> {
  const ready = [...pods].filter(isReady)
  return forEachConcurrently(ready, concurrentWrites, (pod) => markNotReady(pod, context))
}

async function markNotReady(pod: Pod, { client, events, environment }: MarkContext): Promise<void> {
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

/** Marks pods that were bound to a node just when it became unready: the check of the node did not see them. */
export function newlyBoundPods(state: LifecycleState): Controller {
  return controller('node_lifecycle_controller_pods')
    .watches(Pod, newlyBound)
    .workers(4)
    .reconcile({
      async observe(key, { informers }) {
        const pod = informers.of(Pod).get(key)
        return pod && { pod, nodeReady: state.health.get(pod.spec.nodeName ?? '')?.ready?.status }
      },
      decide: ({ pod, nodeReady }) => (nodeReady === undefined || nodeReady === 'True' ? undefined : { mark: [pod] }),
      act: ({ mark }, _observation, context) => markPodsNotReady(mark, context),
    })
}

function newlyBound({ type, object, old }: Change<Pod>): readonly string[] {
  const isBound = type !== 'deleted' && object.spec.nodeName && object.spec.nodeName !== old?.spec.nodeName
  return isBound ? [keyOf(object)] : []
}
