import { CustomResourceDefinition } from '../../api/apiextensions/v1/custom-resource-definition.js'
import { APIService } from '../../api/apiregistration/v1/api-service.js'
import { defineController, recordEvents, workersFlag } from '../definition.js'
import type { ControllerBuilder } from '../runtime/builder.js'
import type { Controller } from '../runtime/reconcile.js'
import { GarbageCollector } from './garbage-collector.js'

const name = 'garbage-collector-controller'

/** The key under which kinds are discovered. No object has this uid. */
const kinds = 'kinds'

/** Deletes objects whose owners are gone. Its keys are uids, for all kinds. */
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
    start(dependencies) {
      const collector = new GarbageCollector(dependencies)
      const loop = builder
        .watches(CustomResourceDefinition, () => [kinds])
        .watches(APIService, () => [kinds])
        .startingWith(kinds)
        .workers(workers)
        .reconcile((key, context) => (key === kinds ? collector.discover(context) : collector.reconcile(key, context)))
        .start(dependencies)
      return {
        async close() {
          collector.close()
          await loop.close()
        },
      }
    },
  }
}
