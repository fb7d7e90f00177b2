import { Endpoints } from '../../api/core/v1/endpoints.js'
import { Pod } from '../../api/core/v1/pod.js'
import { Service } from '../../api/core/v1/service.js'
import { type Change, keyOf } from '../../client/informers/informer.js'
import type { Given } from '../../client/resource-client.js'
import { defineController, recordEvents, workersFlag } from '../definition.js'
import { isNamespaceTerminating } from '../pods/pod-writes.js'
import { messageOf, unlessNotFound } from '../runtime/failures.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { podsOfService, selectsPods, servicesOfPod } from '../services/service-pods.js'
import { TriggerTimes } from '../services/trigger-times.js'
import { decide, type EndpointsDecision, type EndpointsObservation, isManagedHere } from './decide.js'

const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader'

/** Reconciled once at the start: enqueues all Endpoints, because their services may have gone while no controller ran. */
const leftovers = 'leftovers'

/** Keeps the addresses of a service's pods in one Endpoints object, for clients that do not read EndpointSlices. */
export const definition = defineController({
  name: 'endpoints-controller',
  alias: 'endpoint',
  queue: 'endpoint',
  eventSource: 'endpoint-controller',
  serviceAccount: 'endpoint-controller',
  rules: [
    'get list watch on pods services of core',
    'create delete get list update watch on endpoints of core',
    'create on endpoints/restricted of core',
    recordEvents,
  ],
  flags: { 'concurrent-endpoint-syncs': workersFlag('services', 5) },
  create(controller, { flags }) {
    const triggerTimes = new TriggerTimes()
    return controller
      .for(Service)
      .watches(Pod, servicesOfPod)
      .watches(Endpoints, serviceOfEndpoints)
      .startingWith(leftovers)
      .workers(flags['concurrent-endpoint-syncs'])
      .reconcile({ observe: async (key, context) => observe(key, triggerTimes, context), decide, act })
  },
})

/** Endpoints that another client creates before there is a service are left alone. */
function serviceOfEndpoints({ type, object }: Change<Endpoints>): readonly string[] {
  return type === 'deleted' || isManagedHere(object) ? [keyOf(object)] : []
}

function observe(
  key: string,
  triggerTimes: TriggerTimes,
  { informers, enqueue }: ReconcileContext,
): EndpointsObservation | undefined {
  if (key === leftovers) {
    for (const endpoints of informers.of(Endpoints).list()) if (!isLeaderLock(endpoints)) enqueue(keyOf(endpoints))
    return undefined
  }
  const service = informers.of(Service).get(key)
  const current = informers.of(Endpoints).get(key)
  if (!service) {
    triggerTimes.forget(key)
    return { service, pods: [], current, triggerTime: undefined }
  }
  if (!selectsPods(service)) return undefined
  const pods = podsOfService(service, informers)
  return { service, pods, current, triggerTime: triggerTimes.next(service, pods) }
}

/** An object that clients use for leader election. */
function isLeaderLock({ metadata }: Endpoints): boolean {
  return metadata.annotations?.[leaderAnnotation] !== undefined
}

async function act(decision: EndpointsDecision, _: EndpointsObservation, context: ReconcileContext): Promise<void> {
  const endpoints = context.client.resource(Endpoints)
  if (decision.do === 'delete') {
    const { namespace, name } = decision.endpoints.metadata
    await unlessNotFound(endpoints.in(namespace!).delete(name!))
    return
  }
  try {
    await endpoints[decision.do](decision.endpoints)
  } catch (error) {
    if (decision.do === 'create' && isNamespaceTerminating(error)) return
    recordFailure(decision.do, decision.endpoints, { error, context })
    throw error
  }
}

function recordFailure(
  action: 'create' | 'update',
  { metadata }: Given<Endpoints>,
  { error, context }: { readonly error: unknown; readonly context: ReconcileContext },
): void {
  const name = `${metadata.namespace}/${metadata.name}`
  const [reason, message] =
    action === 'create'
      ? ['FailedToCreateEndpoint', `Failed to create endpoint for service ${name}: ${messageOf(error)}`]
      : ['FailedToUpdateEndpoint', `Failed to update endpoint ${name}: ${messageOf(error)}`]
  const about = { apiVersion: 'v1', kind: 'Endpoints', metadata }
  context.events.record({ about, type: 'Warning', reason: reason!, message: message! })
}
