import { ReplicationController } from '../../api/core/v1/replication-controller.js'
import { defineController, recordEvents } from '../definition.js'
import { compiledLabels } from '../pods/selectors.js'
import { replicaController } from '../replicaset/controller.js'

/** The controller of ReplicaSets, for the older kind. */
export const definition = defineController({
  name: 'replicationcontroller-controller',
  alias: 'replicationcontroller',
  eventSource: 'replication-controller',
  serviceAccount: 'replication-controller',
  rules: [
    'get list update watch on replicationcontrollers of core',
    'update on replicationcontrollers/status of core',
    'update on replicationcontrollers/finalizers of core',
    'create delete list patch watch on pods of core',
    recordEvents,
  ],
  create: (controller) =>
    replicaController(controller, {
      schema: ReplicationController,
      selectorOf: (owner) => compiledLabels((owner as ReplicationController).spec.selector),
      countsTerminating: false,
    }),
})
