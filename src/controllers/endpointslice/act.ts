import type { Service } from '../../api/core/v1/service.js'
import { messageOf } from '../runtime/failures.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import type { SliceChanges } from '../services/endpoint-slices.js'
import { SliceError, writeSlices } from '../services/slice-writes.js'
import type { EndpointSliceDecision, EndpointSliceObservation } from './decide.js'
import type { EndpointSliceState } from './observe.js'

export async function act(
  decision: EndpointSliceDecision,
  { key, service }: EndpointSliceObservation,
  { state, context }: { readonly state: EndpointSliceState; readonly context: ReconcileContext },
): Promise<ReconcileResult | undefined> {
  const { topology, missingNodes } = state
  const { families, strange, skipped, requeueAfter } = decision
  try {
    for (const { addressType, changes, zoneCounts, events } of families) {
      topology.update(key, addressType, zoneCounts)
      await write(changes, service, context)
      for (const event of events) context.events.record({ about: service, ...event })
    }
    await write(strange, service, context)
  } catch (error) {
    recordFailure(service, [messageOf(error)], context)
    throw error instanceof SliceError ? error.cause : error
  }
  if (skipped.length === 0) {
    missingNodes.forget(key)
    return undefined
  }
  if (requeueAfter !== undefined) return { requeueAfter }
  // The node may appear, or its pods may be deleted. Until then the service is reconciled again after growing delays.
  recordFailure(service, skipped, context)
  return { requeueAfter: missingNodes.next(key) }
}

async function write(changes: SliceChanges, { metadata }: Service, { client }: ReconcileContext): Promise<void> {
  const { namespace = '', name, deletionTimestamp } = metadata
  const owner = `Service ${namespace}/${name}`
  await writeSlices(changes, { client, namespace, owner, mayCreate: deletionTimestamp === undefined })
}

function recordFailure(service: Service, reasons: readonly string[], { events }: ReconcileContext): void {
  const { namespace, name } = service.metadata
  const all = reasons.length === 1 ? reasons[0] : `[${reasons.join(', ')}]`
  const message = `Error updating Endpoint Slices for Service ${namespace}/${name}: ${all}`
  events.record({ about: service, type: 'Warning', reason: 'FailedToUpdateEndpointSlices', message })
}
