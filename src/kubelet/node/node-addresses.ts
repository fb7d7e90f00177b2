import { lookup } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { hostname, networkInterfaces } from 'node:os'
import { ipFamily } from '../../schema/values/ip-address.js'

/** The node has no valid address. The message is upstream's. */
export class NodeAddressError extends Error {
  override readonly name = 'NodeAddressError'
}

/** What a host knows about its addresses. */
export interface AddressBook {
  /** Addresses by interface. */
  readonly interfaces: Readonly<Record<string, readonly string[]>>
  /** Returns the interfaces of default routes, best first. */
  defaultRoutes(): Promise<readonly string[]>
  /** Resolves a name. Empty if it is unknown. */
  resolve(name: string): Promise<readonly string[]>
}

export interface AddressOptions {
  readonly hostname: string
  /** `--node-ip`, primary first. An unspecified address (all zeros) only selects the family. */
  readonly nodeAddresses?: readonly string[]
}

/**
 * Returns the node's addresses: the configured ones, or that of its hostname, or that of the default route. Falls back to the loopback
 * address.
 */
export async function nodeAddresses(options: AddressOptions, book: AddressBook): Promise<readonly string[]> {
  const { nodeAddresses: [first, ...more] = [], hostname: name } = options
  if (first !== undefined && !isUnspecified(first)) return [first, ...more].map((address) => checked(address, book))
  if (ipFamily(name) !== undefined) return [name]
  const family = first === undefined ? 4 : ipFamily(first)
  const candidates = [
    ...(await book.resolve(name)),
    ...(await routeAddresses(book)),
    ...Object.values(book.interfaces).flat(),
  ]
  const usable = candidates.filter((address) => problemOf(address, book) === undefined)
  return [usable.find((address) => ipFamily(address) === family) ?? usable[0] ?? '127.0.0.1']
}

async function routeAddresses({ interfaces, defaultRoutes }: AddressBook): Promise<readonly string[]> {
  return (await defaultRoutes()).flatMap((name) => interfaces[name] ?? [])
}

function checked(address: string, book: AddressBook): string {
  const problem = problemOf(address, book)
  if (problem !== undefined) throw new NodeAddressError(`failed to validate nodeIP: ${problem}`)
  return address
}

function problemOf(address: string, { interfaces }: AddressBook): string | undefined {
  if (ipFamily(address) === undefined) return 'nodeIP must be a valid IP address'
  if (/^127\.|^::1$/.test(address)) return "nodeIP can't be loopback address"
  if (/^2(?:2[4-9]|3\d)\.|^ff/i.test(address)) return "nodeIP can't be a multicast address"
  if (/^169\.254\.|^fe[89ab]/i.test(address)) return "nodeIP can't be a link-local unicast address"
  if (isUnspecified(address)) return "nodeIP can't be an all zeros address"
  const isHere = Object.values(interfaces).some((addresses) => addresses.includes(address))
  return isHere ? undefined : `node IP: "${address}" not found in the host's network interfaces`
}

function isUnspecified(address: string): boolean {
  return address === '0.0.0.0' || address === '::'
}

/** Reads the addresses of this host. */
export function hostAddressBook(): AddressBook {
  const interfaces = Object.entries(networkInterfaces()).map(([name, found = []]) => [
    name,
    found.map(({ address }) => address),
  ])
  return {
    interfaces: Object.fromEntries(interfaces),
    defaultRoutes,
    resolve: (name) =>
      lookup(name, { all: true })
        .then((found) => found.map(({ address }) => address))
        .catch(() => []),
  }
}

/** Returns the hostname in lower case, as object names need it. */
export function hostName(): string {
  return hostname().trim().toLowerCase()
}

/** Returns the interfaces of IPv4 default routes, lowest metric first. */
async function defaultRoutes(): Promise<readonly string[]> {
  const text = await readFile('/proc/net/route', 'utf8').catch(() => '')
  const routes = text.split('\n').map((line) => line.split('\t'))
  const toEverywhere = routes.filter(([, destination, , flags]) => destination === '00000000' && isUp(flags))
  const byMetric = toEverywhere.sort(([, , , , , , one], [, , , , , , other]) => Number(one) - Number(other))
  return byMetric.map(([name = '']) => name)
}

function isUp(flags = '0'): boolean {
  return (Number.parseInt(flags, 16) & 1) === 1
}
