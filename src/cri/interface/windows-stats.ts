/** Resource usage of sandboxes and containers on Windows. */

import { ContainerAttributes } from './container.js'
import { messageField, messageListField, stringField, timestampField } from './fields.js'
import { type InferMessage, message } from './message.js'
import { FilesystemIdentifier, UInt64Value } from './values.js'

export const WindowsCpuUsage = message({
  timestamp: timestampField(1),
  usageCoreNanoSeconds: messageField<UInt64Value>(2, UInt64Value),
  usageNanoCores: messageField<UInt64Value>(3, UInt64Value),
})
export interface WindowsCpuUsage extends InferMessage<typeof WindowsCpuUsage> {}

export const WindowsMemoryUsage = message({
  timestamp: timestampField(1),
  workingSetBytes: messageField<UInt64Value>(2, UInt64Value),
  availableBytes: messageField<UInt64Value>(3, UInt64Value),
  pageFaults: messageField<UInt64Value>(4, UInt64Value),
  commitMemoryBytes: messageField<UInt64Value>(5, UInt64Value),
})
export interface WindowsMemoryUsage extends InferMessage<typeof WindowsMemoryUsage> {}

export const WindowsNetworkInterfaceUsage = message({
  name: stringField(1),
  rxBytes: messageField<UInt64Value>(2, UInt64Value),
  rxPacketsDropped: messageField<UInt64Value>(3, UInt64Value),
  txBytes: messageField<UInt64Value>(4, UInt64Value),
  txPacketsDropped: messageField<UInt64Value>(5, UInt64Value),
})
export interface WindowsNetworkInterfaceUsage extends InferMessage<typeof WindowsNetworkInterfaceUsage> {}

export const WindowsNetworkUsage = message({
  timestamp: timestampField(1),
  defaultInterface: messageField<WindowsNetworkInterfaceUsage>(2, WindowsNetworkInterfaceUsage),
  interfaces: messageListField<WindowsNetworkInterfaceUsage>(3, WindowsNetworkInterfaceUsage),
})
export interface WindowsNetworkUsage extends InferMessage<typeof WindowsNetworkUsage> {}

export const WindowsProcessUsage = message({
  timestamp: timestampField(1),
  processCount: messageField<UInt64Value>(2, UInt64Value),
})
export interface WindowsProcessUsage extends InferMessage<typeof WindowsProcessUsage> {}

export const WindowsFilesystemUsage = message({
  timestamp: timestampField(1),
  fsId: messageField<FilesystemIdentifier>(2, FilesystemIdentifier),
  usedBytes: messageField<UInt64Value>(3, UInt64Value),
})
export interface WindowsFilesystemUsage extends InferMessage<typeof WindowsFilesystemUsage> {}

export const WindowsContainerStats = message({
  attributes: messageField<ContainerAttributes>(1, ContainerAttributes),
  cpu: messageField<WindowsCpuUsage>(2, WindowsCpuUsage),
  memory: messageField<WindowsMemoryUsage>(3, WindowsMemoryUsage),
  writableLayer: messageField<WindowsFilesystemUsage>(4, WindowsFilesystemUsage),
})
export interface WindowsContainerStats extends InferMessage<typeof WindowsContainerStats> {}

export const WindowsPodSandboxStats = message({
  cpu: messageField<WindowsCpuUsage>(1, WindowsCpuUsage),
  memory: messageField<WindowsMemoryUsage>(2, WindowsMemoryUsage),
  network: messageField<WindowsNetworkUsage>(3, WindowsNetworkUsage),
  process: messageField<WindowsProcessUsage>(4, WindowsProcessUsage),
  containers: messageListField<WindowsContainerStats>(5, WindowsContainerStats),
})
export interface WindowsPodSandboxStats extends InferMessage<typeof WindowsPodSandboxStats> {}
