import { Node } from '../../api/core/v1/node.js'
import { Service } from '../../api/core/v1/service.js'
import type { AddressType, EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import type { KeyedBackoff } from '../../base/backoff.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import { draftOf, type SliceChanges, type SliceDraft, slicesOfService } from '../services/endpoint-slices.js'
import { podsOfService, selectsPods } from '../services/service-pods.js'
import { reuseRemoved, SliceError, writeSlices } from '../services/slice-writes.js'
import { type TriggerTimes, withTriggerTime } from '../services/trigger-times.js'
import { planSlices } from './plan.js'
import { addressTypesOf } from './pod-endpoint.js'
import { isOwnedBy, manager } from './slice-metadata.js'
import type { Topology } from './topology.js'

/** What the loop remembers between looks. All of it may be lost. */
export interface Memory {
  readonly topology: Topology
  readonly triggerTimes: TriggerTimes
  /** Services that have pods on nodes which nobody knows. */
  readonly missing: KeyedBackoff
  /** How many endpoints go into one slice. */
  readonly limit: number
}

export async function reconcileService(
  key: string,
  context: ReconcileContext,
  memory: Memory,
): Promise<ReconcileResult | undefined> {
  const service = context.informers.of(Service).get(key)
  if (!service) {
    memory.topology.forget(key)
    memory.triggerTimes.forget(key)
    memory.missing.forget(key)
    return undefined
  }
  if (!selectsPods(service)) return undefined
  try {
    const skipped = await bringUpToDate(service, key, context, memory)
    if (skipped.length === 0) memory.missing.forget(key)
    else return lookAgain(service, key, { skipped, context, memory })
  } catch (error) {
    tellFailure(service, [error instanceof Error ? error.message : String(error)], context)
    throw error instanceof SliceError ? error.cause : error
  }
  return undefined
}

/** Gives why pods were left out. */
async function bringUpToDate(
  service: Service,
  key: string,
  context: ReconcileContext,
  memory: Memory,
): Promise<readonly string[]> {
  const { informers } = context
  const pods = podsOfService(service, informers)
  const triggerTime = memory.triggerTimes.next(service, pods)
  const slices = slicesOfService(informers, key, manager)
  const types = addressTypesOf(service)
  const skipped = new Set<string>()
  for (const addressType of types) {
    const nodes = informers.of(Node)
    const some = slices.filter((slice) => slice.addressType === addressType)
    const plan = planSlices({
      service,
      pods,
      slices: some,
      node: (name) => nodes.get(name),
      addressType,
      limit: memory.limit,
    })
    for (const why of plan.skipped) skipped.add(why)
    const set = { ...plan, unchanged: plan.unchanged.map(draftOf) }
    const hinted = memory.topology.hint(set, service, { key, addressType, nodes: () => nodes.list() })
    await write({ ...hinted.set, remove: plan.remove }, { service, triggerTime, context })
    for (const told of hinted.told) context.events.record({ about: service, ...told })
  }
  const strange = slices.filter((slice) => !types.includes(slice.addressType as AddressType))
  await write({ create: [], update: [], remove: strange }, { service, triggerTime, context })
  return [...skipped]
}

interface Writing {
  readonly service: Service
  readonly triggerTime: string | undefined
  readonly context: ReconcileContext
}

async function write(changes: SliceChanges, { service, triggerTime, context }: Writing): Promise<void> {
  const reuse = reuseRemoved(changes, (slice: EndpointSlice) => isOwnedBy(slice, service))
  const timed = ({ metadata, ...slice }: SliceDraft): SliceDraft => {
    const annotations = withTriggerTime(metadata.annotations, triggerTime)
    return { ...slice, metadata: { ...metadata, annotations } }
  }
  const { namespace = '', name, deletionTimestamp } = service.metadata
  await writeSlices(
    { create: reuse.create.map(timed), update: reuse.update.map(timed), remove: reuse.remove },
    {
      client: context.client,
      namespace,
      owner: `Service ${namespace}/${name}`,
      mayCreate: deletionTimestamp === undefined,
    },
  )
}

/** The node may show up, or its pods be collected: until then it is asked ever more rarely. */
function lookAgain(
  service: Service,
  key: string,
  {
    skipped,
    context,
    memory,
  }: { readonly skipped: readonly string[]; readonly context: ReconcileContext; readonly memory: Memory },
): ReconcileResult {
  if (memory.missing.remaining(key) > 0) return { requeueAfter: memory.missing.remaining(key) }
  tellFailure(service, skipped, context)
  return { requeueAfter: memory.missing.next(key) }
}

function tellFailure(service: Service, reasons: readonly string[], { events }: ReconcileContext): void {
  const { namespace, name } = service.metadata
  const why = reasons.length === 1 ? reasons[0] : `[${reasons.join(', ')}]`
  const message = `Error updating Endpoint Slices for Service ${namespace}/${name}: ${why}`
  events.record({ about: service, type: 'Warning', reason: 'FailedToUpdateEndpointSlices', message })
}
