import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../api/core/v1/endpoints.js'
import { compareText } from '../../schema/text-order.js'

/** An address and on which ports it is ready. */
interface Offer {
  readonly address: EndpointAddress
  /** By the key of the port. */
  readonly ports: Map<string, boolean>
}

/** Stands for a subset without ports, which is not the same as none. */
const noPorts = ''

/**
 * The one way to say what subsets say: addresses that offer the same ports, ready or not, stand together, and all is in order. An address
 * that is once ready and once not counts as not ready.
 */
export function repack(subsets: readonly EndpointSubset[]): readonly EndpointSubset[] {
  const ports = new Map<string, EndpointPort>()
  const offers = new Map<string, Offer>()
  for (const subset of subsets) {
    const keys = subset.ports?.length ? subset.ports.map((port) => remembered(ports, port)) : [noPorts]
    for (const address of subset.addresses ?? []) offer(offers, address, { keys, isReady: true })
    for (const address of subset.notReadyAddresses ?? []) offer(offers, address, { keys, isReady: false })
  }
  return grouped(offers.values())
    .map(({ keys, members }) => subsetOf(keys, members, ports))
    .sort((one, other) => compareText(JSON.stringify(one), JSON.stringify(other)))
}

function remembered(ports: Map<string, EndpointPort>, port: EndpointPort): string {
  const key = portKey(port)
  ports.set(key, port)
  return key
}

function portKey({ name = '', port, protocol = 'TCP', appProtocol }: EndpointPort): string {
  return JSON.stringify([name, port, protocol, appProtocol])
}

/** The same address may be that of several pods. */
function addressKey({ ip, targetRef }: EndpointAddress): string {
  return `${ip} ${targetRef?.uid ?? ''}`
}

interface Offering {
  readonly keys: readonly string[]
  readonly isReady: boolean
}

function offer(offers: Map<string, Offer>, address: EndpointAddress, { keys, isReady }: Offering): void {
  const key = addressKey(address)
  const known = offers.get(key) ?? { address, ports: new Map<string, boolean>() }
  offers.set(key, known)
  for (const port of keys) known.ports.set(port, isReady && known.ports.get(port) !== false)
}

interface Group {
  readonly keys: readonly string[]
  readonly members: readonly Member[]
}

interface Member {
  readonly address: EndpointAddress
  readonly isReady: boolean
}

/** Ports that are offered by the same addresses, in the same state, go together; so an address may be in several groups. */
function grouped(offers: Iterable<Offer>): readonly Group[] {
  const byPort = new Map<string, Member[]>()
  for (const { address, ports } of offers)
    for (const [port, isReady] of ports) {
      const members = byPort.get(port) ?? []
      byPort.set(port, members)
      members.push({ address, isReady })
    }
  const groups = new Map<string, { keys: string[]; members: readonly Member[] }>()
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
  members: readonly Member[],
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
