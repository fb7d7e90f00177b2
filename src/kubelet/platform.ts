import { existsSync } from 'node:fs'
import type { PodNetwork } from '../cni/pod-network.js'
import type { PodCgroupDependencies } from './cgroups/kubelet-cgroups.js'
import { type ContainerHost, readContainerHost } from './containers/resources/container-host.js'
import { linuxHost } from './node/linux-host.js'
import { type NodeHost, type SimulatedHostOptions, simulatedHost } from './node/node-host.js'
import { type Mounts, mountsFor, plainFolders } from './volumes/mounts.js'

/** The host that a node runs on: a real Linux host, or a simulated one. */
export interface NodePlatform {
  readonly host: NodeHost
  readonly containerHost: ContainerHost
  /** Undefined on a simulated host. */
  readonly cgroups: Omit<PodCgroupDependencies, 'environment'> | undefined
  readonly mounts: Mounts
  /** Undefined if another program configures the pod network. */
  readonly network: PodNetwork | undefined
  readonly hasAppArmor: boolean
}

export interface LinuxPlatformOptions {
  readonly network: PodNetwork | undefined
  readonly cgroups?: Omit<PodCgroupDependencies, 'environment'>
}

/** Returns the platform of this Linux host, for real containers. Needs root. */
export function linuxPlatform({ network, cgroups = {} }: LinuxPlatformOptions): NodePlatform {
  return {
    host: linuxHost(),
    containerHost: readContainerHost(),
    cgroups,
    mounts: mountsFor(),
    network,
    hasAppArmor: existsSync('/sys/kernel/security/apparmor'),
  }
}

/** Returns a platform without a real host, for simulated runtimes. One process can have thousands. */
export function simulatedPlatform(options: SimulatedHostOptions = {}): NodePlatform {
  const host = simulatedHost(options)
  return {
    host,
    containerHost: {
      cgroups: 2,
      memory: options.memory ?? 16 * 2 ** 30,
      swap: 0,
      hasSwapController: false,
      hugePageSizes: [],
      lowestOomScore: undefined,
      thermalPaths: [],
      hasSelinux: false,
    },
    cgroups: undefined,
    mounts: plainFolders,
    network: undefined,
    hasAppArmor: false,
  }
}
