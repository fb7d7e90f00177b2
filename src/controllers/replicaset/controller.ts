import { Pod } from '../../api/core/v1/pod.js'
import { defineController, recordEvents } from '../definition.js'
import { possibleOwners } from '../pods/claiming.js'
import type { ControllerBuilder } from '../runtime/builder.js'
import type { Controller } from '../runtime/reconcile.js'
import { actorOf } from './act.js'
import { decide } from './decide.js'
import { observerOf } from './observe.js'
import { type ReplicaKind, replicaSetKind } from './replica-kind.js'

/** Keeps as many pods as each ReplicaSet asks for. */
export const definition = defineController({
  name: 'replicaset-controller',
  alias: 'replicaset',
  serviceAccount: 'replicaset-controller',
  rules: [
    'get list update watch on replicasets of apps extensions',
    'update on replicasets/status of apps extensions',
    'update on replicasets/finalizers of apps extensions',
    'create delete list patch watch on pods of core',
    recordEvents,
  ],
  create: (controller) => replicaController(controller, replicaSetKind),
})

export function replicaController(controller: ControllerBuilder, kind: ReplicaKind): Controller {
  return controller
    .for(kind.schema)
    .owns(Pod)
    .watches(Pod, possibleOwners(kind.schema, kind.selectorOf))
    .workers(5)
    .reconcile({ observe: observerOf(kind), decide, act: actorOf(kind) })
}
