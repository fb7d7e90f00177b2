import { existsSync } from 'node:fs'
import type { PodNetwork } from '../cni/pod-network.js'
import type { PodCgroupDependencies } from './cgroups/kubelet-cgroups.js'
import { type ContainerHost, readContainerHost } from './containers/resources/container-host.js'
import { linuxHost } from './node/linux-host.js'
import { type NodeHost, type SimulatedHostOptions, simulatedHost } from './node/node-host.js'
import { type Mounts, mountsFor, plainFolders } from './volumes/mounts.js'

/** Where a node stands: on a host with a kernel, or on nothing at all. */
export interface NodePlatform {
  readonly host: NodeHost
  readonly containerHost: ContainerHost
  /** None where nothing runs for real. */
  readonly cgroups: Omit<PodCgroupDependencies, 'environment'> | undefined
  readonly mounts: Mounts
  /** Undefined where the runtime's network is somebody else's business. */
  readonly network: PodNetwork | undefined
  readonly hasAppArmor: boolean
}

export interface LinuxPlatformOptions {
  readonly network: PodNetwork | undefined
  readonly cgroups?: Omit<PodCgroupDependencies, 'environment'>
}

/** This host, for containers that are real. Takes root. */
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

/** No host at all: for simulated runtimes, of which one process can have a thousand. */
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
