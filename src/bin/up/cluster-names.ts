import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { usualDataDirectory } from '../cluster/data-directory.js'

/** What several clusters on one machine must not share, named after the cluster's folder. */
export interface ClusterNames {
  /** The bridge that its pods are on; at most 15 letters, as the kernel has it. */
  readonly bridge: string
  /** What its network is called where all networks are written down. */
  readonly network: string
  /** Below which the cgroups of its pods are. */
  readonly cgroupRoot: string
}

export function clusterNames(folder: string): ClusterNames {
  const path = resolve(folder)
  if (path === usualDataDirectory()) return { bridge: 'proa0', network: 'proa', cgroupRoot: '/proa' }
  const mark = createHash('sha256').update(path).digest('hex').slice(0, 8)
  return { bridge: `proa-${mark}`, network: `proa-${mark}`, cgroupRoot: `/proa-${mark}` }
}

/** The usual range of pods, or the next one that no other network of this machine uses. */
export function freePodRange({ bridge }: ClusterNames, networks = networksOfThisMachine()): string {
  const others = networks.filter(({ device }) => device !== bridge)
  const isTaken = (second: number) => others.some(({ address }) => address.startsWith(`10.${second}.`))
  for (let second = 244; second > 100; second--) if (!isTaken(second)) return `10.${second}.0.0/16`
  throw new Error('every range of addresses that pods could have is in use; choose one with --cluster-cidr')
}

/** An address of this machine, or where one of its routes leads. */
export interface UsedAddress {
  readonly device: string
  readonly address: string
}

/** Routes count as well: a bridge without pods is down, and Node does not list the addresses of what is down. */
function networksOfThisMachine(): readonly UsedAddress[] {
  const addresses = Object.entries(networkInterfaces()).flatMap(([device, found = []]) =>
    found.map(({ address }) => ({ device, address })),
  )
  return existsSync(routeTable) ? [...addresses, ...routedAddresses(readFileSync(routeTable, 'utf8'))] : addresses
}

const routeTable = '/proc/net/route'

/** Reads the kernel's table of IPv4 routes: a line of titles, then device and destination, whose bytes are in reverse order. */
export function routedAddresses(table: string): readonly UsedAddress[] {
  const [, ...routes] = table.trim().split('\n')
  return routes.map((route) => {
    const [device = '', destination = ''] = route.split(/\s+/)
    return { device, address: Buffer.from(destination, 'hex').reverse().join('.') }
  })
}
