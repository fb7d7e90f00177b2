/** What a container may use up. */
import { integer, messages, nested, text, textMap, unsigned } from './fields.js'
import { type Infer, message } from './message.js'
import { WindowsContainerResources } from './windows.js'

export const HugepageLimit = message({
  pageSize: text(1),
  limit: unsigned(2),
})
export interface HugepageLimit extends Infer<typeof HugepageLimit> {}

export const LinuxContainerResources = message({
  cpuPeriod: integer(1),
  cpuQuota: integer(2),
  cpuShares: integer(3),
  memoryLimitInBytes: integer(4),
  oomScoreAdj: integer(5),
  cpusetCpus: text(6),
  cpusetMems: text(7),
  hugepageLimits: messages<HugepageLimit>(8, HugepageLimit),
  unified: textMap(9),
  memorySwapLimitInBytes: integer(10),
})
export interface LinuxContainerResources extends Infer<typeof LinuxContainerResources> {}

export const ContainerResources = message({
  linux: nested<LinuxContainerResources>(1, LinuxContainerResources),
  windows: nested<WindowsContainerResources>(2, WindowsContainerResources),
})
export interface ContainerResources extends Infer<typeof ContainerResources> {}
