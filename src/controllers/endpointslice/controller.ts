import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { Service } from '../../api/core/v1/service.js'
import { EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import { KeyedBackoff } from '../../base/backoff.js'
import { integer } from '../../base/flags/flag-types.js'
import type { Change, SharedInformers } from '../../client/informers/informer.js'
import { defineController, recordEvents, workersFlag } from '../definition.js'
import { podsOnNode } from '../pods/pod-indexes.js'
import type { ControllerBuilder } from '../runtime/builder.js'
import type { Controller } from '../runtime/reconcile.js'
import { serviceOfSlice } from '../services/endpoint-slices.js'
import { servicesOfPod, servicesSelecting } from '../services/service-pods.js'
import { TriggerTimes } from '../services/trigger-times.js'
import { zoneLabel } from './pod-endpoint.js'
import { type Memory, reconcileService } from './reconcile.js'
import { manager } from './slice-metadata.js'
import { Topology } from './topology.js'

export interface EndpointSliceOptions {
  readonly workers: number
  /** How many endpoints go into one slice. */
  readonly limit: number
}

/** How long to wait for a node that pods name and nobody knows, in milliseconds. */
const missingNodeDelays = { initial: 1000, max: 1_000_000 }

/** Keeps the addresses of a service's pods in slices, of which only a few change when a pod does. */
export const definition = defineController({
  name: 'endpointslice-controller',
  alias: 'endpointslice',
  queue: 'endpoint_slice',
  eventSource: 'endpoint-slice-controller',
  serviceAccount: 'endpointslice-controller',
  rules: [
    'get list watch on nodes pods services of core',
    'update on services/finalizers of core',
    'create delete get list update watch on endpointslices of discovery.k8s.io',
    recordEvents,
  ],
  flags: {
    'concurrent-service-endpoint-syncs': workersFlag('services', 5),
    'max-endpoints-per-slice': integer('How many endpoints a slice has at most.', {
      placeholder: 'COUNT',
      ...{ initial: 100, least: 1, most: 1000 },
    }),
  },
  create: (builder, { flags }) =>
    endpointSliceController(builder, {
      workers: flags['concurrent-service-endpoint-syncs'],
      limit: flags['max-endpoints-per-slice'],
    }),
})

function endpointSliceController(builder: ControllerBuilder, { workers, limit }: EndpointSliceOptions): Controller {
  const topology = new Topology()
  let memory: Memory | undefined
  return builder
    .for(Service)
    .watches(Pod, servicesOfPod)
    .watches(EndpointSlice, serviceOfSlice(manager))
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
  for (const { metadata } of podsOnNode(informers, object.metadata.name!))
    yield* servicesSelecting(informers, metadata.namespace!, metadata.labels ?? {})
}
