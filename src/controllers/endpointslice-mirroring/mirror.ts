import type { EndpointAddress, EndpointSubset, Endpoints } from '../../api/core/v1/endpoints.js'
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
import { triggerTimeAnnotation } from '../services/trigger-times.js'

/** By which this loop knows its slices. */
export const manager = 'endpointslicemirroring-controller.k8s.io'

const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'

export interface Mirrored extends SliceChanges {
  /** Addresses that cannot be read. */
  readonly invalid: number
  /** Addresses that were left out, those included. */
  readonly skipped: number
}

/** What the slices become that say the same as an Endpoints object: one for the addresses of each kind of each subset. */
export function mirror(endpoints: Endpoints, slices: readonly EndpointSlice[], limit: number): Mirrored {
  const subsets = repack(endpoints.subsets ?? []).map((subset) => mirrorSubset(subset, limit))
  const wanted = new Map(subsets.flatMap(({ groups }) => groups.map((group) => [keyOf(group), group] as const)))
  const there = new Map<string, EndpointSlice[]>()
  for (const slice of slices) there.set(keyOf(slice), [...(there.get(keyOf(slice)) ?? []), slice])
  const changes = [...wanted].map(([key, group]) => changesOf(group, there.get(key) ?? [], endpoints))
  const unwanted = [...there].filter(([key]) => !wanted.has(key)).flatMap(([, some]) => some)
  return {
    create: changes.flatMap(({ create }) => create),
    update: changes.flatMap(({ update }) => update),
    remove: [...changes.flatMap(({ remove }) => remove), ...unwanted],
    invalid: sum(subsets.map(({ invalid }) => invalid)),
    skipped: sum(subsets.map(({ skipped }) => skipped)),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/** Endpoints of one kind of addresses with the same ports. */
interface Group {
  readonly addressType: AddressType
  readonly ports: readonly EndpointPort[]
  readonly endpoints: readonly Endpoint[]
}

function keyOf({ addressType, ports }: Pick<Group, 'addressType'> & Pick<EndpointSlice, 'ports'>): string {
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
  const groups = (['IPv4', 'IPv6'] as const).map((addressType): Group => {
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

function changesOf(group: Group, slices: readonly EndpointSlice[], endpoints: Endpoints): SliceChanges {
  const [first, ...others] = slices
  const slice = sliceOf(group, endpoints)
  if (!first) return { create: [slice], update: [], remove: [] }
  if (saysTheSame(first, slice)) return { create: [], update: [], remove: others }
  const { generateName: _, ...metadata } = slice.metadata
  return { create: [], update: [{ ...slice, metadata: { ...metadata, name: first.metadata.name! } }], remove: others }
}

function sliceOf({ addressType, ports, endpoints }: Group, owner: Endpoints): SliceDraft {
  const { namespace, name, labels, annotations = {} } = owner.metadata
  const { [triggerTimeAnnotation]: _, [lastAppliedAnnotation]: __, ...kept } = annotations
  const metadata = {
    generateName: slicePrefix(name!),
    namespace: namespace!,
    labels: { ...labels, [serviceNameLabel]: name!, [managedByLabel]: manager },
    ...(Object.keys(kept).length > 0 && { annotations: kept }),
    ownerReferences: [controllerReference({ ...owner, apiVersion: 'v1', kind: 'Endpoints' })],
  }
  return { metadata, addressType, ports, endpoints }
}

function saysTheSame(slice: EndpointSlice, wanted: SliceDraft): boolean {
  const byKey = new Map((slice.endpoints ?? []).map((endpoint) => [endpointKey(endpoint), endpoint]))
  return (
    byKey.size === wanted.endpoints.length &&
    wanted.endpoints.every((endpoint) => isSame(byKey.get(endpointKey(endpoint)), endpoint)) &&
    isSame(slice.metadata.labels, wanted.metadata.labels) &&
    isSame(slice.metadata.annotations ?? {}, wanted.metadata.annotations ?? {})
  )
}
