import { createHash } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { usualDataDirectory } from '../cluster/data-directory.js'

/** What several clusters on one machine must not share, named after the cluster's folder. */
export interface ClusterPlace {
  /** The bridge that its pods are on; at most 15 letters, as the kernel has it. */
  readonly bridge: string
  /** What its network is called where all networks are written down. */
  readonly network: string
  /** Below which the cgroups of its pods are. */
  readonly cgroupRoot: string
}

export function clusterPlace(folder: string): ClusterPlace {
  const path = resolve(folder)
  if (path === usualDataDirectory()) return { bridge: 'proa0', network: 'proa', cgroupRoot: '/proa' }
  const mark = createHash('sha256').update(path).digest('hex').slice(0, 8)
  return { bridge: `proa-${mark}`, network: `proa-${mark}`, cgroupRoot: `/proa-${mark}` }
}

/** The usual range of pods, or the next one that no other network of this machine uses. */
export function freePodRange({ bridge }: ClusterPlace, interfaces = networkInterfaces()): string {
  const others = Object.entries(interfaces).flatMap(([name, found = []]) => (name === bridge ? [] : found))
  const isTaken = (second: number) => others.some(({ address }) => address.startsWith(`10.${second}.`))
  for (let second = 244; second > 100; second--) if (!isTaken(second)) return `10.${second}.0.0/16`
  throw new Error('every range of addresses that pods could have is in use; choose one with --cluster-cidr')
}
