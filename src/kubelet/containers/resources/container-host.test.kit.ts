import type { ContainerHost } from './container-host.js'

/** A small host with cgroup version 1 and all capabilities. */
export function testContainerHost(more: Partial<ContainerHost> = {}): ContainerHost {
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
