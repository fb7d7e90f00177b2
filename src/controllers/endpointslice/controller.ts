import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { Service } from '../../api/core/v1/service.js'
import { EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import { KeyedBackoff } from '../../base/backoff.js'
import type { Change, SharedInformers } from '../../client/informers/informer.js'
import { podsOn } from '../pods/pods-on-node.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import { concernsServiceOf } from '../services/endpoint-slices.js'
import { concernsServices } from '../services/pod-changes.js'
import { servicesChoosing } from '../services/selection.js'
import { TriggerTimes } from '../services/trigger-times.js'
import { zoneLabel } from './pod-endpoint.js'
import { type Memory, reconcileService } from './reconcile.js'
import { manager } from './slice-metadata.js'
import { Topology } from './topology.js'

export interface EndpointSliceOptions {
  readonly workers?: number | undefined
  /** How many endpoints go into one slice. */
  readonly limit?: number | undefined
}

/** How long to wait for a node that pods name and nobody knows, in milliseconds. */
const missingNodeDelays = { initial: 1000, max: 1_000_000 }

/** Keeps the addresses of a service's pods in slices, of which only a few change when a pod does. */
export function endpointSliceController({ workers = 5, limit = 100 }: EndpointSliceOptions = {}): Controller {
  const topology = new Topology()
  let memory: Memory | undefined
  return controller('endpoint_slice')
    .for(Service)
    .watches(Pod, concernsServices)
    .watches(EndpointSlice, concernsServiceOf(manager))
    .watches(Node, function* (change, informers) {
      yield* topology.concerned(change, informers)
      yield* concernsServicesOn(change, informers)
    })
    .workers(workers)
    .reconcile((key, context) => {
      const missing = memory?.missing ?? new KeyedBackoff(context.environment, missingNodeDelays)
      memory ??= { topology, triggerTimes: new TriggerTimes(), missing, limit }
      return reconcileService(key, context, memory)
    })
}

/** A node that appears, or says in which zone it is, is told of beside each of its pods. */
function* concernsServicesOn({ type, object, old }: Change<Node>, informers: SharedInformers): Iterable<string> {
  if (type === 'deleted') return
  if (old && old.metadata.labels?.[zoneLabel] === object.metadata.labels?.[zoneLabel]) return
  for (const { metadata } of podsOn(informers, object.metadata.name!))
    yield* servicesChoosing(informers, metadata.namespace!, metadata.labels ?? {})
}
