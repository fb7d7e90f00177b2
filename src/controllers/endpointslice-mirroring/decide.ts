import type { EndpointAddress, EndpointSubset, Endpoints } from '../../api/core/v1/endpoints.js'
import type { Service } from '../../api/core/v1/service.js'
import type { AddressType, Endpoint, EndpointPort, EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import { isSame } from '../../api/validation/immutability.js'
import { ipText, parseIp } from '../../schema/values/ip-address.js'
import { controllerReference } from '../runtime/owners.js'
import {
  endpointKey,
  managedByLabel,
  portsKey,
  type SliceChanges,
  type SliceDraft,
  serviceNameLabel,
  slicePrefix,
} from '../services/endpoint-slices.js'
import { repack } from '../services/repack.js'
import { reuseRemoved } from '../services/slice-writes.js'
import { triggerTimeAnnotation } from '../services/trigger-times.js'

/** The value of the managed-by label of slices that this controller creates. */
export const mirroringManager = 'endpointslicemirroring-controller.k8s.io'

const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'

export interface MirroringObservation {
  readonly endpoints: Endpoints | undefined
  readonly service: Service | undefined
  /** The slices that exist. */
  readonly slices: readonly EndpointSlice[]
  /** The most addresses of a subset to mirror. */
  readonly limit: number
}

export interface MirroringDecision {
  readonly changes: SliceChanges
  /** False while the Endpoints object is being deleted. */
  readonly mayCreate: boolean
  /** Addresses that cannot be parsed. */
  readonly invalid: number
  /** Addresses that were left out, including the invalid ones. */
  readonly skipped: number
}

const skipLabel = 'endpointslice.kubernetes.io/skip-mirror'
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader'

/** Endpoints of a service without selector are mirrored; all other slices go. */
export function decide({ endpoints, service, slices, limit }: MirroringObservation): MirroringDecision {
  const isMirrored = endpoints && mayMirror(endpoints) && service && !hasSelector(service)
  if (isMirrored) return mirror(endpoints, slices, limit)
  return { changes: { create: [], update: [], remove: slices }, mayCreate: false, invalid: 0, skipped: 0 }
}

/** Not if its label says no, and not an object for leader election. */
function mayMirror({ metadata }: Endpoints): boolean {
  return metadata.labels?.[skipLabel] !== 'true' && metadata.annotations?.[leaderAnnotation] === undefined
}

function hasSelector({ spec }: Service): boolean {
  return Object.keys(spec.selector ?? {}).length > 0
}

/** One slice for each subset and IP family. */
function mirror(endpoints: Endpoints, slices: readonly EndpointSlice[], limit: number): MirroringDecision {
  const subsets = repack(endpoints.subsets ?? []).map((subset) => mirrorSubset(subset, limit))
  const wanted = new Map(subsets.flatMap(({ groups }) => groups.map((group) => [keyOf(group), group] as const)))
  const existing = new Map<string, EndpointSlice[]>()
  for (const slice of slices) existing.set(keyOf(slice), [...(existing.get(keyOf(slice)) ?? []), slice])
  const changes = [...wanted].map(([key, group]) => changesOf(group, existing.get(key) ?? [], endpoints))
  const unwanted = [...existing].filter(([key]) => !wanted.has(key)).flatMap(([, some]) => some)
  const all = {
    create: changes.flatMap(({ create }) => create),
    update: changes.flatMap(({ update }) => update),
    remove: [...changes.flatMap(({ remove }) => remove), ...unwanted],
  }
  return {
    changes: reuseRemoved(all, () => true),
    mayCreate: endpoints.metadata.deletionTimestamp === undefined,
    invalid: sum(subsets.map(({ invalid }) => invalid)),
    skipped: sum(subsets.map(({ skipped }) => skipped)),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/** Endpoints of one IP family with the same ports. */
interface MirroredGroup {
  readonly addressType: AddressType
  readonly ports: readonly EndpointPort[]
  readonly endpoints: readonly Endpoint[]
}

function keyOf({ addressType, ports }: Pick<MirroredGroup, 'addressType'> & Pick<EndpointSlice, 'ports'>): string {
  return `${addressType} ${portsKey(ports)}`
}

function mirrorSubset(subset: EndpointSubset, limit: number) {
  const ready = (subset.addresses ?? []).map((address) => mirrorAddress(address, true))
  const notReady = (subset.notReadyAddresses ?? []).map((address) => mirrorAddress(address, false))
  const all = [...ready, ...notReady]
  const taken: { readonly addressType: AddressType; readonly endpoint: Endpoint }[] = []
  let invalid = 0
  for (const each of all) {
    if (taken.length >= limit) break
    if (each) taken.push(each)
    else invalid++
  }
  const ports = (subset.ports ?? []).map(({ name = '', port, protocol = 'TCP', appProtocol }) => ({
    ...{ name, port, protocol },
    ...(appProtocol !== undefined && { appProtocol }),
  }))
  const groups = (['IPv4', 'IPv6'] as const).map((addressType): MirroredGroup => {
    const endpoints = taken.filter((each) => each.addressType === addressType).map(({ endpoint }) => endpoint)
    return { addressType, ports, endpoints }
  })
  return { groups: groups.filter(({ endpoints }) => endpoints.length > 0), invalid, skipped: all.length - taken.length }
}

function mirrorAddress({ ip, targetRef, nodeName, hostname }: EndpointAddress, ready: boolean) {
  const address = parseIp(ip)
  if (!address) return undefined
  const endpoint: Endpoint = {
    addresses: [ipText(address)],
    conditions: { ready },
    ...(hostname && { hostname }),
    ...(targetRef && { targetRef }),
    ...(nodeName !== undefined && { nodeName }),
  }
  return { addressType: address.bytes.length === 4 ? ('IPv4' as const) : ('IPv6' as const), endpoint }
}

function changesOf(group: MirroredGroup, slices: readonly EndpointSlice[], endpoints: Endpoints): SliceChanges {
  const [first, ...others] = slices
  const slice = sliceOf(group, endpoints)
  if (!first) return { create: [slice], update: [], remove: [] }
  if (isUpToDate(first, slice)) return { create: [], update: [], remove: others }
  const { generateName: _, ...metadata } = slice.metadata
  return { create: [], update: [{ ...slice, metadata: { ...metadata, name: first.metadata.name! } }], remove: others }
}

function sliceOf({ addressType, ports, endpoints }: MirroredGroup, owner: Endpoints): SliceDraft {
  const { namespace, name, labels, annotations = {} } = owner.metadata
  const { [triggerTimeAnnotation]: _, [lastAppliedAnnotation]: __, ...kept } = annotations
  const metadata = {
    generateName: slicePrefix(name!),
    namespace: namespace!,
    labels: { ...labels, [serviceNameLabel]: name!, [managedByLabel]: mirroringManager },
    ...(Object.keys(kept).length > 0 && { annotations: kept }),
    ownerReferences: [controllerReference({ ...owner, apiVersion: 'v1', kind: 'Endpoints' })],
  }
  return { metadata, addressType, ports, endpoints }
}

function isUpToDate(slice: EndpointSlice, wanted: SliceDraft): boolean {
  const byKey = new Map((slice.endpoints ?? []).map((endpoint) => [endpointKey(endpoint), endpoint]))
  return (
    byKey.size === wanted.endpoints.length &&
    wanted.endpoints.every((endpoint) => isSame(byKey.get(endpointKey(endpoint)), endpoint)) &&
    isSame(slice.metadata.labels, wanted.metadata.labels) &&
    isSame(slice.metadata.annotations ?? {}, wanted.metadata.annotations ?? {})
  )
}
