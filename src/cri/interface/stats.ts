/** Resource usage of sandboxes and containers. */

import { ContainerAttributes } from './container.js'
import {
  doubleField,
  messageField,
  messageListField,
  stringField,
  stringMapField,
  timestampField,
  uintField,
} from './fields.js'
import { type InferMessage, message } from './message.js'
import { PodSandboxMetadata } from './sandbox-config.js'
import { FilesystemUsage, UInt64Value } from './values.js'
import { WindowsPodSandboxStats } from './windows-stats.js'

export const PodSandboxStatsRequest = message({
  podSandboxId: stringField(1),
})
export interface PodSandboxStatsRequest extends InferMessage<typeof PodSandboxStatsRequest> {}

export const PodSandboxAttributes = message({
  id: stringField(1),
  metadata: messageField<PodSandboxMetadata>(2, PodSandboxMetadata),
  labels: stringMapField(3),
  annotations: stringMapField(4),
})
export interface PodSandboxAttributes extends InferMessage<typeof PodSandboxAttributes> {}

export const PsiData = message({
  Total: uintField(1),
  Avg10: doubleField(2),
  Avg60: doubleField(3),
  Avg300: doubleField(4),
})
export interface PsiData extends InferMessage<typeof PsiData> {}

export const PsiStats = message({
  Full: messageField<PsiData>(1, PsiData),
  Some: messageField<PsiData>(2, PsiData),
})
export interface PsiStats extends InferMessage<typeof PsiStats> {}

export const CpuUsage = message({
  timestamp: timestampField(1),
  usageCoreNanoSeconds: messageField<UInt64Value>(2, UInt64Value),
  usageNanoCores: messageField<UInt64Value>(3, UInt64Value),
  psi: messageField<PsiStats>(4, PsiStats),
})
export interface CpuUsage extends InferMessage<typeof CpuUsage> {}

export const MemoryUsage = message({
  timestamp: timestampField(1),
  workingSetBytes: messageField<UInt64Value>(2, UInt64Value),
  availableBytes: messageField<UInt64Value>(3, UInt64Value),
  usageBytes: messageField<UInt64Value>(4, UInt64Value),
  rssBytes: messageField<UInt64Value>(5, UInt64Value),
  pageFaults: messageField<UInt64Value>(6, UInt64Value),
  majorPageFaults: messageField<UInt64Value>(7, UInt64Value),
  psi: messageField<PsiStats>(8, PsiStats),
})
export interface MemoryUsage extends InferMessage<typeof MemoryUsage> {}

export const NetworkInterfaceUsage = message({
  name: stringField(1),
  rxBytes: messageField<UInt64Value>(2, UInt64Value),
  rxErrors: messageField<UInt64Value>(3, UInt64Value),
  txBytes: messageField<UInt64Value>(4, UInt64Value),
  txErrors: messageField<UInt64Value>(5, UInt64Value),
})
export interface NetworkInterfaceUsage extends InferMessage<typeof NetworkInterfaceUsage> {}

export const NetworkUsage = message({
  timestamp: timestampField(1),
  defaultInterface: messageField<NetworkInterfaceUsage>(2, NetworkInterfaceUsage),
  interfaces: messageListField<NetworkInterfaceUsage>(3, NetworkInterfaceUsage),
})
export interface NetworkUsage extends InferMessage<typeof NetworkUsage> {}

export const ProcessUsage = message({
  timestamp: timestampField(1),
  processCount: messageField<UInt64Value>(2, UInt64Value),
})
export interface ProcessUsage extends InferMessage<typeof ProcessUsage> {}

export const SwapUsage = message({
  timestamp: timestampField(1),
  swapAvailableBytes: messageField<UInt64Value>(2, UInt64Value),
  swapUsageBytes: messageField<UInt64Value>(3, UInt64Value),
})
export interface SwapUsage extends InferMessage<typeof SwapUsage> {}

export const IoUsage = message({
  timestamp: timestampField(1),
  psi: messageField<PsiStats>(2, PsiStats),
})
export interface IoUsage extends InferMessage<typeof IoUsage> {}

export const ContainerStats = message({
  attributes: messageField<ContainerAttributes>(1, ContainerAttributes),
  cpu: messageField<CpuUsage>(2, CpuUsage),
  memory: messageField<MemoryUsage>(3, MemoryUsage),
  writableLayer: messageField<FilesystemUsage>(4, FilesystemUsage),
  swap: messageField<SwapUsage>(5, SwapUsage),
  io: messageField<IoUsage>(6, IoUsage),
})
export interface ContainerStats extends InferMessage<typeof ContainerStats> {}

export const LinuxPodSandboxStats = message({
  cpu: messageField<CpuUsage>(1, CpuUsage),
  memory: messageField<MemoryUsage>(2, MemoryUsage),
  network: messageField<NetworkUsage>(3, NetworkUsage),
  process: messageField<ProcessUsage>(4, ProcessUsage),
  containers: messageListField<ContainerStats>(5, ContainerStats),
  io: messageField<IoUsage>(6, IoUsage),
})
export interface LinuxPodSandboxStats extends InferMessage<typeof LinuxPodSandboxStats> {}

export const PodSandboxStats = message({
  attributes: messageField<PodSandboxAttributes>(1, PodSandboxAttributes),
  linux: messageField<LinuxPodSandboxStats>(2, LinuxPodSandboxStats),
  windows: messageField<WindowsPodSandboxStats>(3, WindowsPodSandboxStats),
})
export interface PodSandboxStats extends InferMessage<typeof PodSandboxStats> {}

export const PodSandboxStatsResponse = message({
  stats: messageField<PodSandboxStats>(1, PodSandboxStats),
})
export interface PodSandboxStatsResponse extends InferMessage<typeof PodSandboxStatsResponse> {}

export const PodSandboxStatsFilter = message({
  id: stringField(1),
  labelSelector: stringMapField(2),
})
export interface PodSandboxStatsFilter extends InferMessage<typeof PodSandboxStatsFilter> {}

export const ListPodSandboxStatsRequest = message({
  filter: messageField<PodSandboxStatsFilter>(1, PodSandboxStatsFilter),
})
export interface ListPodSandboxStatsRequest extends InferMessage<typeof ListPodSandboxStatsRequest> {}

export const ListPodSandboxStatsResponse = message({
  stats: messageListField<PodSandboxStats>(1, PodSandboxStats),
})
export interface ListPodSandboxStatsResponse extends InferMessage<typeof ListPodSandboxStatsResponse> {}

export const StreamPodSandboxStatsRequest = message({
  filter: messageField<PodSandboxStatsFilter>(1, PodSandboxStatsFilter),
})
export interface StreamPodSandboxStatsRequest extends InferMessage<typeof StreamPodSandboxStatsRequest> {}

export const StreamPodSandboxStatsResponse = message({
  podSandboxStats: messageListField<PodSandboxStats>(1, PodSandboxStats),
})
export interface StreamPodSandboxStatsResponse extends InferMessage<typeof StreamPodSandboxStatsResponse> {}

export const ContainerStatsRequest = message({
  containerId: stringField(1),
})
export interface ContainerStatsRequest extends InferMessage<typeof ContainerStatsRequest> {}

export const ContainerStatsResponse = message({
  stats: messageField<ContainerStats>(1, ContainerStats),
})
export interface ContainerStatsResponse extends InferMessage<typeof ContainerStatsResponse> {}

export const ContainerStatsFilter = message({
  id: stringField(1),
  podSandboxId: stringField(2),
  labelSelector: stringMapField(3),
})
export interface ContainerStatsFilter extends InferMessage<typeof ContainerStatsFilter> {}

export const ListContainerStatsRequest = message({
  filter: messageField<ContainerStatsFilter>(1, ContainerStatsFilter),
})
export interface ListContainerStatsRequest extends InferMessage<typeof ListContainerStatsRequest> {}

export const ListContainerStatsResponse = message({
  stats: messageListField<ContainerStats>(1, ContainerStats),
})
export interface ListContainerStatsResponse extends InferMessage<typeof ListContainerStatsResponse> {}

export const StreamContainerStatsRequest = message({
  filter: messageField<ContainerStatsFilter>(1, ContainerStatsFilter),
})
export interface StreamContainerStatsRequest extends InferMessage<typeof StreamContainerStatsRequest> {}

export const StreamContainerStatsResponse = message({
  containerStats: messageListField<ContainerStats>(1, ContainerStats),
})
export interface StreamContainerStatsResponse extends InferMessage<typeof StreamContainerStatsResponse> {}
