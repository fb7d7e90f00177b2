import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { containerdPaths } from '../../cri/containerd/configuration.js'
import { mountsIn, shimSockets } from '../../cri/containerd/leftovers.js'
import { runningProcesses } from '../../cri/containerd/processes.js'

/** The folder, bridge, cgroup and addresses that the real containers of one test use alone. */
export interface ContainerHarness {
  /** All files of the runtime. */
  readonly folder: string
  /** The network bridge of its pods. */
  readonly bridge: string
  /** The parent cgroup of its pods, with a leading slash. */
  readonly cgroupParent: string
  /** The address range of its pods. */
  readonly podRange: string
}

/** Returns one line for each process, mount, cgroup, interface, socket and address that containers have left behind. */
export function containerLeftOvers({ folder, bridge, cgroupParent }: ContainerHarness): string[] {
  return [
    ...runningProcesses()
      .filter(({ command }) => command.some((word) => word.includes(folder)))
      .map(({ pid, command }) => `process ${pid}: ${command.join(' ')}`),
    ...mountsIn(folder).map((point) => `mount ${point}`),
    ...cgroupsBelow(cgroupParent).map((path) => `cgroup ${path}`),
    ...interfacesOf(bridge).map((name) => `interface ${name}`),
    ...shimSockets(containerdPaths(folder))
      .filter((path) => existsSync(path))
      .map((path) => `socket ${path}`),
    ...addressFiles(folder).map((path) => `address ${path}`),
  ]
}

/** Returns the cgroup's path in each hierarchy: cgroup v1 has several. */
export function cgroupsBelow(parent: string): string[] {
  const root = '/sys/fs/cgroup'
  const trees = existsSync(join(root, 'cgroup.controllers'))
    ? [root]
    : readdirSync(root).map((name) => join(root, name))
  return trees.map((tree) => join(tree, parent)).filter((path) => existsSync(path))
}

/** Returns the bridge and the interfaces on it. */
function interfacesOf(bridge: string): string[] {
  return existsSync(`/sys/class/net/${bridge}`) ? [bridge, ...interfacesOnBridge(bridge)] : []
}

/** Returns the host ends of the pods' veth pairs. */
export function interfacesOnBridge(bridge: string): string[] {
  const plugged = `/sys/class/net/${bridge}/brif`
  return existsSync(plugged) ? readdirSync(plugged) : []
}

export function addressFiles(folder: string): string[] {
  const networks = join(folder, 'addresses')
  if (!existsSync(networks)) return []
  const files = readdirSync(networks, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => /\/\d+\.\d+\.\d+\.\d+$/.test(file))
}
