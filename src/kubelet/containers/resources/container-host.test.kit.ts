import type { ContainerHost } from './container-host.js'

/** A small host of version 1, which may do everything. */
export function testMachine(more: Partial<ContainerHost> = {}): ContainerHost {
  return {
    cgroups: 1,
    memory: 4 * 2 ** 30,
    swap: 0,
    hasSwapController: false,
    hugePageSizes: ['2MB', '1GB'],
    lowestOomScore: undefined,
    thermalPaths: [],
    hasSelinux: false,
    ...more,
  }
}
