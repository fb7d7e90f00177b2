/** What sandboxes and containers on Windows use. */

import { ContainerAttributes } from './container.js'
import { instant, messages, nested, text } from './fields.js'
import { type Infer, message } from './message.js'
import { FilesystemIdentifier, UInt64Value } from './values.js'

export const WindowsCpuUsage = message({
  timestamp: instant(1),
  usageCoreNanoSeconds: nested<UInt64Value>(2, UInt64Value),
  usageNanoCores: nested<UInt64Value>(3, UInt64Value),
})
export interface WindowsCpuUsage extends Infer<typeof WindowsCpuUsage> {}

export const WindowsMemoryUsage = message({
  timestamp: instant(1),
  workingSetBytes: nested<UInt64Value>(2, UInt64Value),
  availableBytes: nested<UInt64Value>(3, UInt64Value),
  pageFaults: nested<UInt64Value>(4, UInt64Value),
  commitMemoryBytes: nested<UInt64Value>(5, UInt64Value),
})
export interface WindowsMemoryUsage extends Infer<typeof WindowsMemoryUsage> {}

export const WindowsNetworkInterfaceUsage = message({
  name: text(1),
  rxBytes: nested<UInt64Value>(2, UInt64Value),
  rxPacketsDropped: nested<UInt64Value>(3, UInt64Value),
  txBytes: nested<UInt64Value>(4, UInt64Value),
  txPacketsDropped: nested<UInt64Value>(5, UInt64Value),
})
export interface WindowsNetworkInterfaceUsage extends Infer<typeof WindowsNetworkInterfaceUsage> {}

export const WindowsNetworkUsage = message({
  timestamp: instant(1),
  defaultInterface: nested<WindowsNetworkInterfaceUsage>(2, WindowsNetworkInterfaceUsage),
  interfaces: messages<WindowsNetworkInterfaceUsage>(3, WindowsNetworkInterfaceUsage),
})
export interface WindowsNetworkUsage extends Infer<typeof WindowsNetworkUsage> {}

export const WindowsProcessUsage = message({
  timestamp: instant(1),
  processCount: nested<UInt64Value>(2, UInt64Value),
})
export interface WindowsProcessUsage extends Infer<typeof WindowsProcessUsage> {}

export const WindowsFilesystemUsage = message({
  timestamp: instant(1),
  fsId: nested<FilesystemIdentifier>(2, FilesystemIdentifier),
  usedBytes: nested<UInt64Value>(3, UInt64Value),
})
export interface WindowsFilesystemUsage extends Infer<typeof WindowsFilesystemUsage> {}

export const WindowsContainerStats = message({
  attributes: nested<ContainerAttributes>(1, ContainerAttributes),
  cpu: nested<WindowsCpuUsage>(2, WindowsCpuUsage),
  memory: nested<WindowsMemoryUsage>(3, WindowsMemoryUsage),
  writableLayer: nested<WindowsFilesystemUsage>(4, WindowsFilesystemUsage),
})
export interface WindowsContainerStats extends Infer<typeof WindowsContainerStats> {}

export const WindowsPodSandboxStats = message({
  cpu: nested<WindowsCpuUsage>(1, WindowsCpuUsage),
  memory: nested<WindowsMemoryUsage>(2, WindowsMemoryUsage),
  network: nested<WindowsNetworkUsage>(3, WindowsNetworkUsage),
  process: nested<WindowsProcessUsage>(4, WindowsProcessUsage),
  containers: messages<WindowsContainerStats>(5, WindowsContainerStats),
})
export interface WindowsPodSandboxStats extends Infer<typeof WindowsPodSandboxStats> {}
