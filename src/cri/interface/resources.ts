/** Resource limits of containers. */
import { intField, messageField, messageListField, stringField, stringMapField, uintField } from './fields.js'
import { type InferMessage, message } from './message.js'
import { WindowsContainerResources } from './windows.js'

export const HugepageLimit = message({
  pageSize: stringField(1),
  limit: uintField(2),
})
export interface HugepageLimit extends InferMessage<typeof HugepageLimit> {}

export const LinuxContainerResources = message({
  cpuPeriod: intField(1),
  cpuQuota: intField(2),
  cpuShares: intField(3),
  memoryLimitInBytes: intField(4),
  oomScoreAdj: intField(5),
  cpusetCpus: stringField(6),
  cpusetMems: stringField(7),
  hugepageLimits: messageListField<HugepageLimit>(8, HugepageLimit),
  unified: stringMapField(9),
  memorySwapLimitInBytes: intField(10),
})
export interface LinuxContainerResources extends InferMessage<typeof LinuxContainerResources> {}

export const ContainerResources = message({
  linux: messageField<LinuxContainerResources>(1, LinuxContainerResources),
  windows: messageField<WindowsContainerResources>(2, WindowsContainerResources),
})
export interface ContainerResources extends InferMessage<typeof ContainerResources> {}
