import { ReplicationController } from '../../api/core/v1/replication-controller.js'
import { selectorOfLabels } from '../pods/selectors.js'
import { replicaController } from '../replicaset/controller.js'
import type { Controller } from '../runtime/controller.js'

export function replicationController(): Controller {
  return replicaController({
    name: 'replicationcontroller-controller',
    schema: ReplicationController,
    selectorOf: (owner) => selectorOfLabels((owner as ReplicationController).spec.selector),
    tellsTerminating: false,
  })
}
