import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { isSame } from '../../api/validation/immutability.js'
import { type Change, keyOf, type SharedInformers } from '../../client/informers/informer.js'
import { defineController } from '../definition.js'
import { nodeServiceAccount } from '../nodes/service-account.js'
import { podsOnNode } from '../pods/pod-indexes.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import { decide, type EvictionDecision, type EvictionObservation, noExecuteTaints } from './decide.js'
import { countEviction, evict, recordEvictionEvent } from './eviction.js'

/** Pods that are to be evicted later, and when. */
type EvictionSchedule = Map<string, number>

/** Evicts pods from nodes whose NoExecute taints they do not tolerate, or not for that long. */
export const definition = defineController({
  name: 'taint-eviction-controller',
  queue: 'noexec_taint_pod',
  ...nodeServiceAccount,
  create(controller) {
    const schedule: EvictionSchedule = new Map()
    return controller
      .watches(Pod, podItself)
      .watches(Node, podsOfNode)
      .workers(8)
      .reconcile({
        observe: async (key, context) => observe(key, schedule, context),
        decide,
        act: (decision, { key }, context) => act(decision, { key, schedule }, context),
      })
  },
})

function podItself({ object, old }: Change<Pod>): readonly string[] {
  const isUnchanged =
    old && old.spec.nodeName === object.spec.nodeName && isSame(old.spec.tolerations, object.spec.tolerations)
  return isUnchanged ? [] : [keyOf(object)]
}

function* podsOfNode({ type, object, old }: Change<Node>, informers: SharedInformers): Iterable<string> {
  const taints = noExecuteTaints(object.spec.taints)
  if (type === 'deleted' || isSame(taints, noExecuteTaints(old?.spec.taints))) return
  for (const pod of podsOnNode(informers, object.metadata.name!)) yield keyOf(pod)
}

function observe(
  key: string,
  schedule: EvictionSchedule,
  { informers, environment }: ReconcileContext,
): EvictionObservation {
  const pod = informers.of(Pod).get(key)
  const node = informers.of(Node).get(pod?.spec.nodeName ?? '')
  return { key, pod, node, scheduled: schedule.get(key), now: environment.clock.now() }
}

interface EvictionTarget {
  readonly key: string
  readonly schedule: EvictionSchedule
}

async function act(
  decision: EvictionDecision,
  { key, schedule }: EvictionTarget,
  context: ReconcileContext,
): Promise<ReconcileResult | undefined> {
  const { events, environment } = context
  if (decision.do === 'wait') {
    schedule.set(key, decision.until)
    return { requeueAfter: decision.until - environment.clock.now() }
  }
  const isCancelled = decision.do === 'cancel' || (decision.do === 'evict' && decision.replacesPlan)
  if (isCancelled && schedule.delete(key)) recordEvictionEvent(events, key, 'Cancelling deletion of')
  if (decision.do === 'evict') {
    recordEvictionEvent(events, key, 'Marking for deletion')
    await evict(decision.pod, context)
    countEviction(environment.metrics, decision.late)
  }
  schedule.delete(key)
  return undefined
}
