import { CustomResourceDefinition } from '../../api/apiextensions/v1/custom-resource-definition.js'
import { APIService } from '../../api/apiregistration/v1/api-service.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import { Collection } from './collection.js'

const name = 'garbage-collector-controller'

/** No object has this uid. */
const kinds = 'kinds'

export interface GarbageCollectorOptions {
  /** How many objects are looked at at once. */
  readonly workers?: number | undefined
}

/** Deletes what nobody owns any more. Its keys are uids, whatever the kind. */
export function garbageCollector({ workers = 20 }: GarbageCollectorOptions = {}): Controller {
  return {
    name,
    start(surroundings) {
      const collection = new Collection(surroundings)
      const loop = controller(name)
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
