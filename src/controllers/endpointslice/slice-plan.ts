import type { Node } from '../../api/core/v1/node.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Service } from '../../api/core/v1/service.js'
import type { AddressType, Endpoint, EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import { isSame } from '../../api/validation/immutability.js'
import { endpointKey, portsKey, type SliceChanges, type SliceDraft } from '../services/endpoint-slices.js'
import { hasAddress } from '../services/service-pods.js'
import { type EndpointGroup, pack } from './packing.js'
import { endpointPorts, podEndpoint } from './pod-endpoint.js'
import { isOwnedBy, newSlice } from './slice-metadata.js'

export interface SlicePlanInput {
  readonly service: Service
  readonly pods: readonly Pod[]
  /** The existing slices with this address type. */
  readonly slices: readonly EndpointSlice[]
  readonly node: (name: string) => Node | undefined
  readonly addressType: AddressType
  /** How many endpoints a slice has at most. */
  readonly limit: number
}

export interface SlicePlan extends SliceChanges {
  readonly unchanged: readonly EndpointSlice[]
  /** Why pods were left out that may be included later. */
  readonly skipped: readonly string[]
}

/** Which slices with one address type to create, update and remove. */
export function planSlices(input: SlicePlanInput): SlicePlan {
  const { service, slices, limit } = input
  const { groups, skipped } = groupPods(input)
  const own = slices.filter((slice) => isOwnedBy(slice, service))
  const byPorts = groupedByPorts(own)
  const packed = [...groups].map(([key, group]) => pack(byPorts.get(key) ?? [], group, service, limit))
  const unwanted = [...byPorts].filter(([key]) => !groups.has(key)).flatMap(([, some]) => some)
  const foreign = slices.filter((slice) => !isOwnedBy(slice, service))
  const changes = withPlaceholder(input, {
    create: packed.flatMap(({ create }) => create),
    update: packed.flatMap(({ update }) => update),
    remove: [...foreign, ...packed.flatMap(({ remove }) => remove), ...unwanted],
  })
  return { ...changes, unchanged: unchanged(slices, changes), skipped }
}

function groupPods({ service, pods, node, addressType }: SlicePlanInput): {
  readonly groups: ReadonlyMap<string, EndpointGroup>
  readonly skipped: readonly string[]
} {
  const groups = new Map<string, EndpointGroup & { readonly endpoints: Map<string, Endpoint> }>()
  const skipped: string[] = []
  for (const pod of pods) {
    if (!hasAddress(pod, { includeTerminating: true })) continue
    const ports = endpointPorts(pod, service)
    const key = portsKey(ports)
    const group = groups.get(key) ?? { addressType, ports, endpoints: new Map() }
    groups.set(key, group)
    const nodeName = pod.spec.nodeName ?? ''
    const podNode = node(nodeName)
    if (!podNode && !service.spec.publishNotReadyAddresses) {
      const { namespace, name } = service.metadata
      skipped.push(`skipping Pod ${pod.metadata.name} for Service ${namespace}/${name}: Node ${nodeName} Not Found`)
      continue
    }
    const endpoint = podEndpoint(pod, { service, addressType, node: podNode })
    if (endpoint) group.endpoints.set(endpointKey(endpoint), endpoint)
  }
  return { groups, skipped }
}

function groupedByPorts(slices: readonly EndpointSlice[]): ReadonlyMap<string, readonly EndpointSlice[]> {
  const groups = new Map<string, EndpointSlice[]>()
  for (const slice of slices) {
    const key = portsKey(slice.ports)
    const group = groups.get(key) ?? []
    groups.set(key, group)
    group.push(slice)
  }
  return groups
}

/** There is always at least one slice. An empty one says that there are no endpoints; no slice, that the service was not reconciled yet. */
function withPlaceholder({ service, slices, addressType }: SlicePlanInput, changes: SliceChanges): SliceChanges {
  if (changes.remove.length < slices.length || changes.create.length > 0) return changes
  const placeholder = newSlice(service, { addressType, ports: [] })
  const [only, another] = changes.remove
  const isThere = only && !another && isOwnedBy(only, service) && isPlaceholder(only, placeholder)
  return isThere ? { ...changes, remove: [] } : { ...changes, create: [placeholder] }
}

function isPlaceholder({ endpoints, ports, metadata }: EndpointSlice, placeholder: SliceDraft): boolean {
  if ((endpoints ?? []).length > 0 || (ports ?? []).length > 0) return false
  return isSame(metadata.labels, placeholder.metadata.labels)
}

function unchanged(slices: readonly EndpointSlice[], { update, remove }: SliceChanges): readonly EndpointSlice[] {
  const changed = new Set([...update, ...remove].map(({ metadata }) => metadata.name))
  return slices.filter(({ metadata }) => !changed.has(metadata.name))
}
