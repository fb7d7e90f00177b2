import { existsSync } from 'node:fs'
import type { PodNetwork } from '../cni/pod-network.js'
import type { PodCgroupParts } from './cgroups/kubelet-cgroups.js'
import { thisMachine as thisContainerMachine } from './containers/machine.js'
import { type ToldMachine, toldMachine } from './node/machine.js'
import { thisMachine } from './node/this-machine.js'
import type { Ground } from './node-parts.js'
import { mountsFor, plainFolders } from './volumes/mounts.js'

export interface RealGround {
  readonly network: PodNetwork | undefined
  readonly cgroups?: Omit<PodCgroupParts, 'environment'>
}

/** This machine, for containers that are real. Takes root. */
export function realGround({ network, cgroups = {} }: RealGround): Ground {
  return {
    machine: thisMachine(),
    containers: thisContainerMachine(),
    cgroups,
    mounts: mountsFor(),
    network,
    hasAppArmor: existsSync('/sys/kernel/security/apparmor'),
  }
}

/** No machine at all: for simulated runtimes, of which one process can have a thousand. */
export function simulatedGround(told: ToldMachine = {}): Ground {
  const machine = toldMachine(told)
  return {
    machine,
    containers: {
      cgroups: 2,
      memory: told.memory ?? 16 * 2 ** 30,
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
