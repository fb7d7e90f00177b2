/** Sandboxes: what the containers of one pod share. */

import { ContainerStatus } from './container.js'
import { choice, instant, messages, nested, text, textMap, truth } from './fields.js'
import { type Infer, message } from './message.js'
import { LinuxContainerResources } from './resources.js'
import { PodSandboxConfig, PodSandboxMetadata } from './sandbox-config.js'
import { NamespaceOption } from './security.js'

export const PodSandboxState = ['SANDBOX_READY', 'SANDBOX_NOTREADY'] as const
export type PodSandboxState = (typeof PodSandboxState)[number]

export const RunPodSandboxRequest = message({
  config: nested<PodSandboxConfig>(1, PodSandboxConfig),
  runtimeHandler: text(2),
})
export interface RunPodSandboxRequest extends Infer<typeof RunPodSandboxRequest> {}

export const RunPodSandboxResponse = message({
  podSandboxId: text(1),
})
export interface RunPodSandboxResponse extends Infer<typeof RunPodSandboxResponse> {}

export const StopPodSandboxRequest = message({
  podSandboxId: text(1),
})
export interface StopPodSandboxRequest extends Infer<typeof StopPodSandboxRequest> {}

export const StopPodSandboxResponse = message({})
export interface StopPodSandboxResponse extends Infer<typeof StopPodSandboxResponse> {}

export const RemovePodSandboxRequest = message({
  podSandboxId: text(1),
})
export interface RemovePodSandboxRequest extends Infer<typeof RemovePodSandboxRequest> {}

export const RemovePodSandboxResponse = message({})
export interface RemovePodSandboxResponse extends Infer<typeof RemovePodSandboxResponse> {}

export const PodSandboxStatusRequest = message({
  podSandboxId: text(1),
  verbose: truth(2),
})
export interface PodSandboxStatusRequest extends Infer<typeof PodSandboxStatusRequest> {}

export const PodIP = message({
  ip: text(1),
})
export interface PodIP extends Infer<typeof PodIP> {}

export const PodSandboxNetworkStatus = message({
  ip: text(1),
  additionalIps: messages<PodIP>(2, PodIP),
})
export interface PodSandboxNetworkStatus extends Infer<typeof PodSandboxNetworkStatus> {}

export const Namespace = message({
  options: nested<NamespaceOption>(2, NamespaceOption),
})
export interface Namespace extends Infer<typeof Namespace> {}

export const LinuxPodSandboxStatus = message({
  namespaces: nested<Namespace>(1, Namespace),
})
export interface LinuxPodSandboxStatus extends Infer<typeof LinuxPodSandboxStatus> {}

export const PodSandboxStatus = message({
  id: text(1),
  metadata: nested<PodSandboxMetadata>(2, PodSandboxMetadata),
  state: choice(3, PodSandboxState),
  createdAt: instant(4),
  network: nested<PodSandboxNetworkStatus>(5, PodSandboxNetworkStatus),
  linux: nested<LinuxPodSandboxStatus>(6, LinuxPodSandboxStatus),
  labels: textMap(7),
  annotations: textMap(8),
  runtimeHandler: text(9),
})
export interface PodSandboxStatus extends Infer<typeof PodSandboxStatus> {}

export const PodSandboxStatusResponse = message({
  status: nested<PodSandboxStatus>(1, PodSandboxStatus),
  info: textMap(2),
  containersStatuses: messages<ContainerStatus>(3, ContainerStatus),
  timestamp: instant(4),
})
export interface PodSandboxStatusResponse extends Infer<typeof PodSandboxStatusResponse> {}

export const PodSandboxStateValue = message({
  state: choice(1, PodSandboxState),
})
export interface PodSandboxStateValue extends Infer<typeof PodSandboxStateValue> {}

export const PodSandboxFilter = message({
  id: text(1),
  state: nested<PodSandboxStateValue>(2, PodSandboxStateValue),
  labelSelector: textMap(3),
})
export interface PodSandboxFilter extends Infer<typeof PodSandboxFilter> {}

export const ListPodSandboxRequest = message({
  filter: nested<PodSandboxFilter>(1, PodSandboxFilter),
})
export interface ListPodSandboxRequest extends Infer<typeof ListPodSandboxRequest> {}

export const PodSandbox = message({
  id: text(1),
  metadata: nested<PodSandboxMetadata>(2, PodSandboxMetadata),
  state: choice(3, PodSandboxState),
  createdAt: instant(4),
  labels: textMap(5),
  annotations: textMap(6),
  runtimeHandler: text(7),
})
export interface PodSandbox extends Infer<typeof PodSandbox> {}

export const ListPodSandboxResponse = message({
  items: messages<PodSandbox>(1, PodSandbox),
})
export interface ListPodSandboxResponse extends Infer<typeof ListPodSandboxResponse> {}

export const StreamPodSandboxesRequest = message({
  filter: nested<PodSandboxFilter>(1, PodSandboxFilter),
})
export interface StreamPodSandboxesRequest extends Infer<typeof StreamPodSandboxesRequest> {}

export const StreamPodSandboxesResponse = message({
  podSandboxes: messages<PodSandbox>(1, PodSandbox),
})
export interface StreamPodSandboxesResponse extends Infer<typeof StreamPodSandboxesResponse> {}

export const UpdatePodSandboxResourcesRequest = message({
  podSandboxId: text(1),
  overhead: nested<LinuxContainerResources>(2, LinuxContainerResources),
  resources: nested<LinuxContainerResources>(3, LinuxContainerResources),
})
export interface UpdatePodSandboxResourcesRequest extends Infer<typeof UpdatePodSandboxResourcesRequest> {}

export const UpdatePodSandboxResourcesResponse = message({})
export interface UpdatePodSandboxResourcesResponse extends Infer<typeof UpdatePodSandboxResourcesResponse> {}
