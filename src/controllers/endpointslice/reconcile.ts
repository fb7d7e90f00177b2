import { Node } from '../../api/core/v1/node.js'
import { Service } from '../../api/core/v1/service.js'
import type { AddressType, EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import type { KeyedBackoff } from '../../base/backoff.js'
import type { Outcome, World } from '../runtime/reconcile.js'
import { draftOf, type SliceChanges, type SliceDraft, slicesOf } from '../services/endpoint-slices.js'
import { choosesPods, podsOf } from '../services/selection.js'
import { type TriggerTimes, withTriggerTime } from '../services/trigger-times.js'
import { recycled, SliceError, writeSlices } from '../services/writing-slices.js'
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

export async function reconcileService(key: string, world: World, memory: Memory): Promise<Outcome | undefined> {
  const service = world.informers.of(Service).get(key)
  if (!service) {
    memory.topology.forget(key)
    memory.triggerTimes.forget(key)
    memory.missing.forget(key)
    return undefined
  }
  if (!choosesPods(service)) return undefined
  try {
    const skipped = await bringUpToDate(service, key, world, memory)
    if (skipped.length === 0) memory.missing.forget(key)
    else return lookAgain(service, key, { skipped, world, memory })
  } catch (error) {
    tellFailure(service, [error instanceof Error ? error.message : String(error)], world)
    throw error instanceof SliceError ? error.cause : error
  }
  return undefined
}

/** Gives why pods were left out. */
async function bringUpToDate(service: Service, key: string, world: World, memory: Memory): Promise<readonly string[]> {
  const { informers } = world
  const pods = podsOf(service, informers)
  const triggerTime = memory.triggerTimes.next(service, pods)
  const slices = slicesOf(informers, key, manager)
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
    await write({ ...hinted.set, remove: plan.remove }, { service, triggerTime, world })
    for (const told of hinted.told) world.events.record({ about: service, ...told })
  }
  const strange = slices.filter((slice) => !types.includes(slice.addressType as AddressType))
  await write({ create: [], update: [], remove: strange }, { service, triggerTime, world })
  return [...skipped]
}

interface Writing {
  readonly service: Service
  readonly triggerTime: string | undefined
  readonly world: World
}

async function write(changes: SliceChanges, { service, triggerTime, world }: Writing): Promise<void> {
  const reuse = recycled(changes, (slice: EndpointSlice) => isOwnedBy(slice, service))
  const timed = ({ metadata, ...slice }: SliceDraft): SliceDraft => {
    const annotations = withTriggerTime(metadata.annotations, triggerTime)
    return { ...slice, metadata: { ...metadata, annotations } }
  }
  const { namespace = '', name, deletionTimestamp } = service.metadata
  await writeSlices(
    { create: reuse.create.map(timed), update: reuse.update.map(timed), remove: reuse.remove },
    {
      client: world.client,
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
  { skipped, world, memory }: { readonly skipped: readonly string[]; readonly world: World; readonly memory: Memory },
): Outcome {
  if (memory.missing.remaining(key) > 0) return { after: memory.missing.remaining(key) }
  tellFailure(service, skipped, world)
  return { after: memory.missing.next(key) }
}

function tellFailure(service: Service, reasons: readonly string[], { events }: World): void {
  const { namespace, name } = service.metadata
  const why = reasons.length === 1 ? reasons[0] : `[${reasons.join(', ')}]`
  const message = `Error updating Endpoint Slices for Service ${namespace}/${name}: ${why}`
  events.record({ about: service, type: 'Warning', reason: 'FailedToUpdateEndpointSlices', message })
}
