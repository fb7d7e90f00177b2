import { CustomResourceDefinition } from '../../api/apiextensions/v1/custom-resource-definition.js'
import { APIService } from '../../api/apiregistration/v1/api-service.js'
import { defineController, recordEvents, workersFlag } from '../definition.js'
import type { ControllerBuilder } from '../runtime/builder.js'
import type { Controller } from '../runtime/reconcile.js'
import { Collection } from './collection.js'

const name = 'garbage-collector-controller'

/** No object has this uid. */
const kinds = 'kinds'

/** Deletes what nobody owns any more. Its keys are uids, whatever the kind. */
export const definition = defineController({
  name,
  alias: 'garbagecollector',
  serviceAccount: 'generic-garbage-collector',
  rules: ['delete get list patch update watch on * of *', recordEvents],
  flags: { 'concurrent-gc-syncs': workersFlag('objects', 20) },
  create: (builder, { flags }) => garbageCollector(builder, flags['concurrent-gc-syncs']),
})

function garbageCollector(builder: ControllerBuilder, workers: number): Controller {
  return {
    name,
    start(surroundings) {
      const collection = new Collection(surroundings)
      const loop = builder
        .watches(CustomResourceDefinition, () => [kinds])
        .watches(APIService, () => [kinds])
        .startingWith(kinds)
        .workers(workers)
        .reconcile((key, context) => (key === kinds ? collection.discover(context) : collection.lookAt(key, context)))
        .start(surroundings)
      return {
        async close() {
          collection.close()
          await loop.close()
        },
      }
    },
  }
}
