import type { Node } from '../../api/core/v1/node.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Service } from '../../api/core/v1/service.js'
import type { AddressType, EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import { draftOf, type SliceChanges, type SliceDraft } from '../services/endpoint-slices.js'
import { reuseRemoved } from '../services/slice-writes.js'
import { withTriggerTime } from '../services/trigger-times.js'
import type { ZoneCounts } from './allocation.js'
import { closeHints, prefersClose, type SliceSet, withoutHints } from './hints.js'
import { addressTypesOf } from './pod-endpoint.js'
import { isOwnedBy } from './slice-metadata.js'
import { planSlices } from './slice-plan.js'
import { zoneHints } from './zone-hints.js'
import type { ZoneShares } from './zone-shares.js'

export interface EndpointSliceObservation {
  readonly key: string
  readonly service: Service
  readonly pods: readonly Pod[]
  /** All slices of the service. */
  readonly slices: readonly EndpointSlice[]
  readonly node: (name: string) => Node | undefined
  readonly triggerTime: string | undefined
  /** How many endpoints a slice has at most. */
  readonly limit: number
  /** Whether endpoints were allocated to zones before. */
  readonly isTopologyEnabled: boolean
  /** Undefined if the service does not want zone hints, or the shares are unknown. */
  readonly zoneShares: ZoneShares | undefined
  /** Milliseconds that are left until an unknown node is reported again. */
  readonly missingNodeDelay: number
}

export interface EndpointSliceDecision {
  /** For each address type, to be written in this order. */
  readonly families: readonly FamilyDecision[]
  /** Slices of address types that the service no longer has. */
  readonly strange: SliceChanges
  /** Why pods were left out that may be included later. */
  readonly skipped: readonly string[]
  /** Milliseconds until the service is reconciled again, if pods were left out and that was reported. */
  readonly requeueAfter: number | undefined
}

/** The slices of one address type. */
export interface FamilyDecision {
  readonly addressType: AddressType
  readonly changes: SliceChanges
  /** How many endpoints each zone gets; undefined without zone hints. */
  readonly zoneCounts: ZoneCounts | undefined
  readonly events: readonly TopologyEvent[]
}

/** Reports that zone hints were enabled or disabled. */
export interface TopologyEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: 'TopologyAwareHintsEnabled' | 'TopologyAwareHintsDisabled'
  readonly message: string
}

const modeAnnotations = ['service.kubernetes.io/topology-aware-hints', 'service.kubernetes.io/topology-mode']

/** Whether endpoints are allocated to zones. The older of the two annotations takes precedence. */
export function wantsZoneHints({ metadata }: Service): boolean {
  const mode = modeAnnotations.map((name) => metadata.annotations?.[name]).find((value) => value !== undefined)
  return mode === 'Auto' || mode === 'auto'
}

export function decide(observation: EndpointSliceObservation): EndpointSliceDecision {
  const { service, slices, missingNodeDelay } = observation
  const types = addressTypesOf(service)
  const skipped = new Set<string>()
  const families: FamilyDecision[] = []
  let isEnabled = observation.isTopologyEnabled
  for (const addressType of types) {
    const { family, skipped: some } = decideFamily({ ...observation, isTopologyEnabled: isEnabled }, addressType)
    for (const reason of some) skipped.add(reason)
    families.push(family)
    isEnabled = family.zoneCounts !== undefined
  }
  const strange = slices.filter((slice) => !types.includes(slice.addressType as AddressType))
  return {
    families,
    strange: timed({ create: [], update: [], remove: strange }, observation),
    skipped: [...skipped],
    requeueAfter: skipped.size > 0 && missingNodeDelay > 0 ? missingNodeDelay : undefined,
  }
}

function decideFamily(observation: EndpointSliceObservation, addressType: AddressType) {
  const { service, pods, slices, node, limit } = observation
  const own = slices.filter((slice) => slice.addressType === addressType)
  const plan = planSlices({ service, pods, slices: own, node, addressType, limit })
  const { set, ...hints } = hinted({ ...plan, unchanged: plan.unchanged.map(draftOf) }, observation, addressType)
  const changes = timed({ ...set, remove: plan.remove }, observation)
  const family: FamilyDecision = { addressType, changes, ...hints }
  return { family, skipped: plan.skipped }
}

interface HintedSet extends Pick<FamilyDecision, 'zoneCounts' | 'events'> {
  readonly set: SliceSet
}

function hinted(
  set: SliceSet,
  { service, isTopologyEnabled, zoneShares }: EndpointSliceObservation,
  addressType: AddressType,
): HintedSet {
  if (!wantsZoneHints(service)) {
    const events = isTopologyEnabled ? [disabled('Topology Aware Hints has been disabled', addressType)] : []
    const changed = prefersClose(service) ? closeHints(set, service) : withoutHints(set)
    return { set: changed, zoneCounts: undefined, events }
  }
  const zoned = zoneHints(set, zoneShares)
  if ('reason' in zoned)
    return { set: withoutHints(set), zoneCounts: undefined, events: [disabled(zoned.reason, addressType)] }
  return { set: zoned.set, zoneCounts: zoned.counts, events: isTopologyEnabled ? [] : [enabled(addressType)] }
}

function disabled(reason: string, addressType: AddressType): TopologyEvent {
  return { type: 'Warning', reason: 'TopologyAwareHintsDisabled', message: `${reason}, addressType: ${addressType}` }
}

function enabled(addressType: AddressType): TopologyEvent {
  const message = `Topology Aware Hints has been enabled, addressType: ${addressType}`
  return { type: 'Normal', reason: 'TopologyAwareHintsEnabled', message }
}

/** Reuses slices that would be removed, and adds the trigger time to those that are written. */
function timed(changes: SliceChanges, { service, triggerTime }: EndpointSliceObservation): SliceChanges {
  const { create, update, remove } = reuseRemoved(changes, (slice: EndpointSlice) => isOwnedBy(slice, service))
  const withTime = ({ metadata, ...slice }: SliceDraft): SliceDraft => {
    const annotations = withTriggerTime(metadata.annotations, triggerTime)
    return { ...slice, metadata: { ...metadata, annotations } }
  }
  return { create: create.map(withTime), update: update.map(withTime), remove }
}
