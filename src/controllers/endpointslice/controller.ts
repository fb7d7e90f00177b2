import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { Service } from '../../api/core/v1/service.js'
import { EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import { KeyedBackoff } from '../../base/backoff.js'
import { integer } from '../../base/flags/flag-types.js'
import type { Change, SharedInformers } from '../../client/informers/informer.js'
import { defineController, recordEvents, workersFlag } from '../definition.js'
import { podsOnNode } from '../pods/pod-indexes.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { serviceOfSlice } from '../services/endpoint-slices.js'
import { servicesOfPod, servicesSelecting } from '../services/service-pods.js'
import { TriggerTimes } from '../services/trigger-times.js'
import { act } from './act.js'
import { decide } from './decide.js'
import { type EndpointSliceState, observe } from './observe.js'
import { zoneLabel } from './pod-endpoint.js'
import { manager } from './slice-metadata.js'
import { Topology } from './topology.js'

/** Milliseconds between reports of an unknown node that pods are bound to. */
const missingNodeDelays = { initial: 1000, max: 1_000_000 }

/** Keeps the addresses of the pods of a service in slices, of which few change when a pod does. */
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
  create(controller, { flags }) {
    const topology = new Topology()
    const triggerTimes = new TriggerTimes()
    const limit = flags['max-endpoints-per-slice']
    let missingNodes: KeyedBackoff | undefined
    const stateIn = ({ environment }: ReconcileContext): EndpointSliceState => {
      missingNodes ??= new KeyedBackoff(environment, missingNodeDelays)
      return { topology, triggerTimes, missingNodes, limit }
    }
    return controller
      .for(Service)
      .watches(Pod, servicesOfPod)
      .watches(EndpointSlice, serviceOfSlice(manager))
      .watches(Node, function* (change, informers) {
        yield* topology.servicesOf(change, informers)
        yield* servicesOnNode(change, informers)
      })
      .workers(flags['concurrent-service-endpoint-syncs'])
      .reconcile({
        observe: (key, context) => observe(key, stateIn(context), context),
        decide,
        act: (decision, observation, context) => act(decision, observation, { state: stateIn(context), context }),
      })
  },
})

/** A slice has the zone of each pod, so a node that appears or changes its zone concerns the services of its pods. */
function* servicesOnNode({ type, object, old }: Change<Node>, informers: SharedInformers): Iterable<string> {
  if (type === 'deleted') return
  if (old && old.metadata.labels?.[zoneLabel] === object.metadata.labels?.[zoneLabel]) return
  for (const { metadata } of podsOnNode(informers, object.metadata.name!))
    yield* servicesSelecting(informers, metadata.namespace!, metadata.labels ?? {})
}
