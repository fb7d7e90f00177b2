/** What sandboxes and containers use. */

import { ContainerAttributes } from './container.js'
import { double, instant, messages, nested, text, textMap, unsigned } from './fields.js'
import { type Infer, message } from './message.js'
import { PodSandboxMetadata } from './sandbox-config.js'
import { FilesystemUsage, UInt64Value } from './values.js'
import { WindowsPodSandboxStats } from './windows-stats.js'

export const PodSandboxStatsRequest = message({
  podSandboxId: text(1),
})
export interface PodSandboxStatsRequest extends Infer<typeof PodSandboxStatsRequest> {}

export const PodSandboxAttributes = message({
  id: text(1),
  metadata: nested<PodSandboxMetadata>(2, PodSandboxMetadata),
  labels: textMap(3),
  annotations: textMap(4),
})
export interface PodSandboxAttributes extends Infer<typeof PodSandboxAttributes> {}

export const PsiData = message({
  Total: unsigned(1),
  Avg10: double(2),
  Avg60: double(3),
  Avg300: double(4),
})
export interface PsiData extends Infer<typeof PsiData> {}

export const PsiStats = message({
  Full: nested<PsiData>(1, PsiData),
  Some: nested<PsiData>(2, PsiData),
})
export interface PsiStats extends Infer<typeof PsiStats> {}

export const CpuUsage = message({
  timestamp: instant(1),
  usageCoreNanoSeconds: nested<UInt64Value>(2, UInt64Value),
  usageNanoCores: nested<UInt64Value>(3, UInt64Value),
  psi: nested<PsiStats>(4, PsiStats),
})
export interface CpuUsage extends Infer<typeof CpuUsage> {}

export const MemoryUsage = message({
  timestamp: instant(1),
  workingSetBytes: nested<UInt64Value>(2, UInt64Value),
  availableBytes: nested<UInt64Value>(3, UInt64Value),
  usageBytes: nested<UInt64Value>(4, UInt64Value),
  rssBytes: nested<UInt64Value>(5, UInt64Value),
  pageFaults: nested<UInt64Value>(6, UInt64Value),
  majorPageFaults: nested<UInt64Value>(7, UInt64Value),
  psi: nested<PsiStats>(8, PsiStats),
})
export interface MemoryUsage extends Infer<typeof MemoryUsage> {}

export const NetworkInterfaceUsage = message({
  name: text(1),
  rxBytes: nested<UInt64Value>(2, UInt64Value),
  rxErrors: nested<UInt64Value>(3, UInt64Value),
  txBytes: nested<UInt64Value>(4, UInt64Value),
  txErrors: nested<UInt64Value>(5, UInt64Value),
})
export interface NetworkInterfaceUsage extends Infer<typeof NetworkInterfaceUsage> {}

export const NetworkUsage = message({
  timestamp: instant(1),
  defaultInterface: nested<NetworkInterfaceUsage>(2, NetworkInterfaceUsage),
  interfaces: messages<NetworkInterfaceUsage>(3, NetworkInterfaceUsage),
})
export interface NetworkUsage extends Infer<typeof NetworkUsage> {}

export const ProcessUsage = message({
  timestamp: instant(1),
  processCount: nested<UInt64Value>(2, UInt64Value),
})
export interface ProcessUsage extends Infer<typeof ProcessUsage> {}

export const SwapUsage = message({
  timestamp: instant(1),
  swapAvailableBytes: nested<UInt64Value>(2, UInt64Value),
  swapUsageBytes: nested<UInt64Value>(3, UInt64Value),
})
export interface SwapUsage extends Infer<typeof SwapUsage> {}

export const IoUsage = message({
  timestamp: instant(1),
  psi: nested<PsiStats>(2, PsiStats),
})
export interface IoUsage extends Infer<typeof IoUsage> {}

export const ContainerStats = message({
  attributes: nested<ContainerAttributes>(1, ContainerAttributes),
  cpu: nested<CpuUsage>(2, CpuUsage),
  memory: nested<MemoryUsage>(3, MemoryUsage),
  writableLayer: nested<FilesystemUsage>(4, FilesystemUsage),
  swap: nested<SwapUsage>(5, SwapUsage),
  io: nested<IoUsage>(6, IoUsage),
})
export interface ContainerStats extends Infer<typeof ContainerStats> {}

export const LinuxPodSandboxStats = message({
  cpu: nested<CpuUsage>(1, CpuUsage),
  memory: nested<MemoryUsage>(2, MemoryUsage),
  network: nested<NetworkUsage>(3, NetworkUsage),
  process: nested<ProcessUsage>(4, ProcessUsage),
  containers: messages<ContainerStats>(5, ContainerStats),
  io: nested<IoUsage>(6, IoUsage),
})
export interface LinuxPodSandboxStats extends Infer<typeof LinuxPodSandboxStats> {}

export const PodSandboxStats = message({
  attributes: nested<PodSandboxAttributes>(1, PodSandboxAttributes),
  linux: nested<LinuxPodSandboxStats>(2, LinuxPodSandboxStats),
  windows: nested<WindowsPodSandboxStats>(3, WindowsPodSandboxStats),
})
export interface PodSandboxStats extends Infer<typeof PodSandboxStats> {}

export const PodSandboxStatsResponse = message({
  stats: nested<PodSandboxStats>(1, PodSandboxStats),
})
export interface PodSandboxStatsResponse extends Infer<typeof PodSandboxStatsResponse> {}

export const PodSandboxStatsFilter = message({
  id: text(1),
  labelSelector: textMap(2),
})
export interface PodSandboxStatsFilter extends Infer<typeof PodSandboxStatsFilter> {}

export const ListPodSandboxStatsRequest = message({
  filter: nested<PodSandboxStatsFilter>(1, PodSandboxStatsFilter),
})
export interface ListPodSandboxStatsRequest extends Infer<typeof ListPodSandboxStatsRequest> {}

export const ListPodSandboxStatsResponse = message({
  stats: messages<PodSandboxStats>(1, PodSandboxStats),
})
export interface ListPodSandboxStatsResponse extends Infer<typeof ListPodSandboxStatsResponse> {}

export const StreamPodSandboxStatsRequest = message({
  filter: nested<PodSandboxStatsFilter>(1, PodSandboxStatsFilter),
})
export interface StreamPodSandboxStatsRequest extends Infer<typeof StreamPodSandboxStatsRequest> {}

export const StreamPodSandboxStatsResponse = message({
  podSandboxStats: messages<PodSandboxStats>(1, PodSandboxStats),
})
export interface StreamPodSandboxStatsResponse extends Infer<typeof StreamPodSandboxStatsResponse> {}

export const ContainerStatsRequest = message({
  containerId: text(1),
})
export interface ContainerStatsRequest extends Infer<typeof ContainerStatsRequest> {}

export const ContainerStatsResponse = message({
  stats: nested<ContainerStats>(1, ContainerStats),
})
export interface ContainerStatsResponse extends Infer<typeof ContainerStatsResponse> {}

export const ContainerStatsFilter = message({
  id: text(1),
  podSandboxId: text(2),
  labelSelector: textMap(3),
})
export interface ContainerStatsFilter extends Infer<typeof ContainerStatsFilter> {}

export const ListContainerStatsRequest = message({
  filter: nested<ContainerStatsFilter>(1, ContainerStatsFilter),
})
export interface ListContainerStatsRequest extends Infer<typeof ListContainerStatsRequest> {}

export const ListContainerStatsResponse = message({
  stats: messages<ContainerStats>(1, ContainerStats),
})
export interface ListContainerStatsResponse extends Infer<typeof ListContainerStatsResponse> {}

export const StreamContainerStatsRequest = message({
  filter: nested<ContainerStatsFilter>(1, ContainerStatsFilter),
})
export interface StreamContainerStatsRequest extends Infer<typeof StreamContainerStatsRequest> {}

export const StreamContainerStatsResponse = message({
  containerStats: messages<ContainerStats>(1, ContainerStats),
})
export interface StreamContainerStatsResponse extends Infer<typeof StreamContainerStatsResponse> {}
