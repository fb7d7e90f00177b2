import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { isSame } from '../../api/validation/immutability.js'
import { type Change, keyOf, type SharedInformers } from '../../client/informers/informer.js'
import { podsOn } from '../pods/pods-on-node.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import { deadline, noExecuteTaints } from './deadline.js'
import { evict, tellOfPod } from './evicting.js'
import { countEviction } from './metrics.js'

/** Pods that are to go later, and when. People are told when it does not come to that. */
type Schedule = Map<string, number>

/** Drives pods away from nodes whose taints they do not tolerate, or not for that long. */
export function taintEvictionController(): Controller {
  const schedule: Schedule = new Map()
  return controller('noexec_taint_pod')
    .watches(Pod, concernsItself)
    .watches(Node, concernsPodsOn)
    .workers(8)
    .reconcile((key, context) => reconcilePod(key, context, schedule))
}

function concernsItself({ object, old }: Change<Pod>): readonly string[] {
  const isUnchanged =
    old && old.spec.nodeName === object.spec.nodeName && isSame(old.spec.tolerations, object.spec.tolerations)
  return isUnchanged ? [] : [keyOf(object)]
}

function* concernsPodsOn({ type, object, old }: Change<Node>, informers: SharedInformers): Iterable<string> {
  const taints = noExecuteTaints(object.spec.taints)
  if (type === 'deleted' || isSame(taints, noExecuteTaints(old?.spec.taints))) return
  for (const pod of podsOn(informers, object.metadata.name!)) yield keyOf(pod)
}

async function reconcilePod(
  key: string,
  context: ReconcileContext,
  schedule: Schedule,
): Promise<ReconcileResult | undefined> {
  const now = context.environment.clock.now()
  const pod = context.informers.of(Pod).get(key)
  if (!pod) return cancel(key, context, schedule)
  if (!pod.spec.nodeName || pod.metadata.deletionTimestamp !== undefined) {
    schedule.delete(key)
    return undefined
  }
  const node = context.informers.of(Node).get(pod.spec.nodeName)
  const scheduled = schedule.get(key)
  // The node may have gone, and its taints with it: what was decided because of them stands.
  const until = node ? deadline(pod, noExecuteTaints(node.spec.taints), now) : (scheduled ?? Number.POSITIVE_INFINITY)
  if (until === Number.POSITIVE_INFINITY) return cancel(key, context, schedule)
  if (until > now && (scheduled ?? until) > now) return wait(key, scheduled ?? until, { context, schedule })
  if (scheduled !== undefined && scheduled > now) cancel(key, context, schedule)
  tellOfPod(context.events, key, 'Marking for deletion')
  await evict(pod, context)
  schedule.delete(key)
  countEviction(context.environment.metrics, now - Math.min(scheduled ?? now, now))
  return undefined
}

/** Once it is decided when a pod goes, other tolerations do not change that, unless it may stay for ever or must go at once. */
function wait(
  key: string,
  until: number,
  { context, schedule }: { readonly context: ReconcileContext; readonly schedule: Schedule },
): ReconcileResult {
  schedule.set(key, until)
  return { requeueAfter: until - context.environment.clock.now() }
}

function cancel(key: string, { events }: ReconcileContext, schedule: Schedule): undefined {
  if (schedule.delete(key)) tellOfPod(events, key, 'Cancelling deletion of')
  return undefined
}
