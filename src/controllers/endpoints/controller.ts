import { Endpoints } from '../../api/core/v1/endpoints.js'
import { Pod } from '../../api/core/v1/pod.js'
import { Service } from '../../api/core/v1/service.js'
import { type Change, keyOf } from '../../client/informers/informer.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import { concernsServices } from '../services/pod-changes.js'
import { TriggerTimes } from '../services/trigger-times.js'
import { isOurs } from './decide.js'
import { leftovers, reconcileEndpoints } from './reconcile.js'

/** Keeps the addresses of a service's pods in one object, for clients that do not know slices. */
export function endpointsController({ workers = 5 }: { readonly workers?: number | undefined } = {}): Controller {
  const triggerTimes = new TriggerTimes()
  return controller('endpoint')
    .for(Service)
    .watches(Pod, concernsServices)
    .watches(Endpoints, concernsItsService)
    .startingWith(leftovers)
    .workers(workers)
    .reconcile((key, context) => reconcileEndpoints(key, context, triggerTimes))
}

/** What somebody else wrote before there is a service is let be. */
function concernsItsService({ type, object }: Change<Endpoints>): readonly string[] {
  return type === 'deleted' || isOurs(object) ? [keyOf(object)] : []
}
