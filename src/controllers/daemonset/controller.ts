import { ControllerRevision } from '../../api/apps/v1/controller-revision.js'
import { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { isSame } from '../../api/validation/immutability.js'
import { KeyedBackoff } from '../../base/backoff.js'
import { type Change, keyOf, type SharedInformers } from '../../client/informers/informer.js'
import { defineController, recordEvents } from '../definition.js'
import { possibleOwners } from '../pods/claiming.js'
import { compiledSelector } from '../pods/selectors.js'
import type { ControllerBuilder } from '../runtime/builder.js'
import type { Controller } from '../runtime/reconcile.js'
import { actorOf } from './act.js'
import { decide } from './decide.js'
import { observe } from './observe.js'
import { placementOf } from './placement.js'

/** Milliseconds. A pod that fails again and again is created again after 1 s, 2 s, 4 s … 15 min. */
const failureDelays = { initial: 1000, max: 900_000, resetAfter: 1_800_000 }

/** Runs one pod on each node that the DaemonSet selects. */
export const definition = defineController({
  name: 'daemonset-controller',
  alias: 'daemonset',
  queue: 'daemonset',
  serviceAccount: 'daemon-set-controller',
  rules: [
    'get list watch on daemonsets of apps extensions',
    'update on daemonsets/status of apps extensions',
    'update on daemonsets/finalizers of apps extensions',
    'list watch on nodes of core',
    'create delete list patch watch on pods of core',
    'create on pods/binding of core',
    'create delete get list patch update watch on controllerrevisions of apps',
    recordEvents,
  ],
  create: daemonSetController,
})

function daemonSetController(builder: ControllerBuilder): Controller {
  let failures: KeyedBackoff | undefined
  return builder
    .for(DaemonSet)
    .owns(Pod)
    .owns(ControllerRevision)
    .watches(
      Pod,
      possibleOwners(DaemonSet, ({ spec }) => compiledSelector(spec.selector)),
    )
    .watches(Node, setsForNode)
    .workers(2)
    .reconcile({
      observe(key, context) {
        failures ??= new KeyedBackoff(context.environment, failureDelays)
        return observe(key, failures, context)
      },
      decide,
      act: actorOf(() => failures!),
    })
}

/** Only labels and taints of a node matter, and only to some sets. */
function* setsForNode({ object, old, type }: Change<Node>, informers: SharedInformers): Iterable<string> {
  const isUnchanged =
    old && isSame(object.metadata.labels, old.metadata.labels) && isSame(object.spec.taints, old.spec.taints)
  if (isUnchanged) return
  for (const set of informers.of(DaemonSet).list()) {
    const placement = placementOf(set)
    const [now, before] = [placement(object), old && placement(old)]
    const matters = type === 'updated' ? !isSame(now, before) : now.mayStay
    if (matters) yield keyOf(set)
  }
}
