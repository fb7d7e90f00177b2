import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { containerdPaths } from '../../cri/containerd/configuration.js'
import { mountsIn, shimSockets } from '../../cri/containerd/leftovers.js'
import { runningProcesses } from '../../cri/containerd/processes.js'

/** What the real containers of one test have to themselves. */
export interface ContainerHarness {
  /** Everything of the runtime is in there. */
  readonly folder: string
  /** The network interface that its pods meet on. */
  readonly bridge: string
  /** Below which its pods' cgroups are, with a slash before it. */
  readonly cgroupParent: string
  /** The addresses of its pods. */
  readonly podRange: string
}

/** What real containers leave in the kernel: one line for each thing that is still there. */
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

/** In each hierarchy, as there are several with version 1. */
export function cgroupsBelow(parent: string): string[] {
  const root = '/sys/fs/cgroup'
  const trees = existsSync(join(root, 'cgroup.controllers'))
    ? [root]
    : readdirSync(root).map((name) => join(root, name))
  return trees.map((tree) => join(tree, parent)).filter((path) => existsSync(path))
}

/** The bridge itself, and what is plugged into it. */
function interfacesOf(bridge: string): string[] {
  return existsSync(`/sys/class/net/${bridge}`) ? [bridge, ...interfacesOnBridge(bridge)] : []
}

/** The ends of pods' cables. */
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
