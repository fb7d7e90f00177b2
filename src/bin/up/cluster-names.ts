import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { defaultDataDirectory } from '../cluster/data-directory.js'

/** Names on this machine that clusters must not share. They derive from the data directory. */
export interface ClusterNames {
  /** The network bridge of the pods. The kernel allows at most 15 characters. */
  readonly bridge: string
  /** The name of the network in the CNI configuration. */
  readonly network: string
  /** The parent of the cgroups of the pods. */
  readonly cgroupRoot: string
}

export function clusterNames(folder: string): ClusterNames {
  const path = resolve(folder)
  if (path === defaultDataDirectory()) return { bridge: 'proa0', network: 'proa', cgroupRoot: '/proa' }
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 8)
  return { bridge: `proa-${hash}`, network: `proa-${hash}`, cgroupRoot: `/proa-${hash}` }
}

/** Returns the default IP range of pods, or the next one that no other network of this machine uses. */
export function freePodRange({ bridge }: ClusterNames, networks = usedAddresses()): string {
  const others = networks.filter(({ device }) => device !== bridge)
  const isTaken = (second: number) => others.some(({ address }) => address.startsWith(`10.${second}.`))
  for (let second = 244; second > 100; second--) if (!isTaken(second)) return `10.${second}.0.0/16`
  throw new Error('this machine uses every default IP range of pods; choose another range with --cluster-cidr')
}

/** An address of this machine, or the destination of one of its routes. */
export interface UsedAddress {
  readonly device: string
  readonly address: string
}

/** Includes routes: a bridge without pods is down, and Node does not list the addresses of interfaces that are down. */
function usedAddresses(): readonly UsedAddress[] {
  const addresses = Object.entries(networkInterfaces()).flatMap(([device, found = []]) =>
    found.map(({ address }) => ({ device, address })),
  )
  return existsSync(routeTable) ? [...addresses, ...routedAddresses(readFileSync(routeTable, 'utf8'))] : addresses
}

const routeTable = '/proc/net/route'

/** Parses the kernel's table of IPv4 routes: a header, then a device and a destination with reversed bytes in each line. */
export function routedAddresses(table: string): readonly UsedAddress[] {
  const [, ...routes] = table.trim().split('\n')
  return routes.map((route) => {
    const [device = '', destination = ''] = route.split(/\s+/)
    return { device, address: Buffer.from(destination, 'hex').reverse().join('.') }
  })
}
