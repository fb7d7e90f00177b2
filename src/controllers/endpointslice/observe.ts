import { Node } from '../../api/core/v1/node.js'
import { Service } from '../../api/core/v1/service.js'
import type { KeyedBackoff } from '../../base/backoff.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { slicesOfService } from '../services/endpoint-slices.js'
import { podsOfService, selectsPods } from '../services/service-pods.js'
import type { TriggerTimes } from '../services/trigger-times.js'
import { type EndpointSliceObservation, wantsZoneHints } from './decide.js'
import { manager } from './slice-metadata.js'
import type { Topology } from './topology.js'

/** What the controller keeps in memory. All of it may be lost. */
export interface EndpointSliceState {
  readonly topology: Topology
  readonly triggerTimes: TriggerTimes
  /** Delays of services that have pods on unknown nodes. */
  readonly missingNodes: KeyedBackoff
  /** How many endpoints a slice has at most. */
  readonly limit: number
}

export async function observe(
  key: string,
  { topology, triggerTimes, missingNodes, limit }: EndpointSliceState,
  { informers }: ReconcileContext,
): Promise<EndpointSliceObservation | undefined> {
  const service = informers.of(Service).get(key)
  if (!service) {
    topology.forget(key)
    triggerTimes.forget(key)
    missingNodes.forget(key)
    return undefined
  }
  if (!selectsPods(service)) return undefined
  const pods = podsOfService(service, informers)
  const nodes = informers.of(Node)
  return {
    key,
    service,
    pods,
    triggerTime: triggerTimes.next(service, pods),
    slices: slicesOfService(informers, key, manager),
    node: (name) => nodes.get(name),
    limit,
    isTopologyEnabled: topology.isEnabled(key),
    zoneShares: wantsZoneHints(service) ? topology.shares(() => nodes.list()) : undefined,
    missingNodeDelay: missingNodes.remaining(key),
  }
}
