import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../api/core/v1/endpoints.js'
import { compareText } from '../../schema/text-order.js'

/** An address and on which of its ports it is ready. */
interface AddressPorts {
  readonly address: EndpointAddress
  /** By the key of the port. */
  readonly ports: Map<string, boolean>
}

/** The key for a subset without ports. */
const noPorts = ''

/**
 * The canonical form of subsets: addresses with the same ports are in one subset, and everything is sorted. An address that is both ready and
 * not ready counts as not ready.
 */
export function repack(subsets: readonly EndpointSubset[]): readonly EndpointSubset[] {
  const ports = new Map<string, EndpointPort>()
  const byAddress = new Map<string, AddressPorts>()
  for (const subset of subsets) {
    const keys = subset.ports?.length ? subset.ports.map((port) => addPort(ports, port)) : [noPorts]
    for (const address of subset.addresses ?? []) addAddress(byAddress, address, { keys, isReady: true })
    for (const address of subset.notReadyAddresses ?? []) addAddress(byAddress, address, { keys, isReady: false })
  }
  return grouped(byAddress.values())
    .map(({ keys, members }) => subsetOf(keys, members, ports))
    .sort((one, other) => compareText(JSON.stringify(one), JSON.stringify(other)))
}

function addPort(ports: Map<string, EndpointPort>, port: EndpointPort): string {
  const key = portKey(port)
  ports.set(key, port)
  return key
}

function portKey({ name = '', port, protocol = 'TCP', appProtocol }: EndpointPort): string {
  return JSON.stringify([name, port, protocol, appProtocol])
}

/** Several pods may have the same address. */
function addressKey({ ip, targetRef }: EndpointAddress): string {
  return `${ip} ${targetRef?.uid ?? ''}`
}

interface PortReadiness {
  readonly keys: readonly string[]
  readonly isReady: boolean
}

function addAddress(
  byAddress: Map<string, AddressPorts>,
  address: EndpointAddress,
  { keys, isReady }: PortReadiness,
): void {
  const key = addressKey(address)
  const known = byAddress.get(key) ?? { address, ports: new Map<string, boolean>() }
  byAddress.set(key, known)
  for (const port of keys) known.ports.set(port, isReady && known.ports.get(port) !== false)
}

interface AddressGroup {
  readonly keys: readonly string[]
  readonly members: readonly GroupMember[]
}

interface GroupMember {
  readonly address: EndpointAddress
  readonly isReady: boolean
}

/** Ports that the same addresses have in the same state form a group; an address may be in several groups. */
function grouped(byAddress: Iterable<AddressPorts>): readonly AddressGroup[] {
  const byPort = new Map<string, GroupMember[]>()
  for (const { address, ports } of byAddress)
    for (const [port, isReady] of ports) {
      const members = byPort.get(port) ?? []
      byPort.set(port, members)
      members.push({ address, isReady })
    }
  const groups = new Map<string, { keys: string[]; members: readonly GroupMember[] }>()
  for (const [port, members] of byPort) {
    const sorted = members.sort((one, other) => compareAddresses(one.address, other.address))
    const key = JSON.stringify(sorted.map(({ address, isReady }) => [addressKey(address), isReady]))
    const group = groups.get(key) ?? { keys: [], members: sorted }
    group.keys.push(port)
    groups.set(key, group)
  }
  return [...groups.values()]
}

function compareAddresses(one: EndpointAddress, other: EndpointAddress): number {
  return compareText(one.ip, other.ip) || compareText(one.targetRef?.uid ?? '', other.targetRef?.uid ?? '')
}

function subsetOf(
  keys: readonly string[],
  members: readonly GroupMember[],
  ports: ReadonlyMap<string, EndpointPort>,
): EndpointSubset {
  const ready = members.filter(({ isReady }) => isReady).map(({ address }) => address)
  const notReady = members.filter(({ isReady }) => !isReady).map(({ address }) => address)
  const itsPorts = [...keys].sort(compareText).flatMap((key) => ports.get(key) ?? [])
  return {
    ...(ready.length > 0 && { addresses: ready }),
    ...(notReady.length > 0 && { notReadyAddresses: notReady }),
    ...(itsPorts.length > 0 && { ports: itsPorts }),
  }
}
