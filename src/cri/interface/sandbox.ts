/** Sandboxes: the namespaces that the containers of one pod share. */

import { CriContainerStatus } from './container.js'
import {
  boolField,
  enumField,
  messageField,
  messageListField,
  stringField,
  stringMapField,
  timestampField,
} from './fields.js'
import { type InferMessage, message } from './message.js'
import { LinuxContainerResources } from './resources.js'
import { PodSandboxConfig, PodSandboxMetadata } from './sandbox-config.js'
import { NamespaceOption } from './security.js'

export const PodSandboxState = ['SANDBOX_READY', 'SANDBOX_NOTREADY'] as const
export type PodSandboxState = (typeof PodSandboxState)[number]

export const RunPodSandboxRequest = message({
  config: messageField<PodSandboxConfig>(1, PodSandboxConfig),
  runtimeHandler: stringField(2),
})
export interface RunPodSandboxRequest extends InferMessage<typeof RunPodSandboxRequest> {}

export const RunPodSandboxResponse = message({
  podSandboxId: stringField(1),
})
export interface RunPodSandboxResponse extends InferMessage<typeof RunPodSandboxResponse> {}

export const StopPodSandboxRequest = message({
  podSandboxId: stringField(1),
})
export interface StopPodSandboxRequest extends InferMessage<typeof StopPodSandboxRequest> {}

export const StopPodSandboxResponse = message({})
export interface StopPodSandboxResponse extends InferMessage<typeof StopPodSandboxResponse> {}

export const RemovePodSandboxRequest = message({
  podSandboxId: stringField(1),
})
export interface RemovePodSandboxRequest extends InferMessage<typeof RemovePodSandboxRequest> {}

export const RemovePodSandboxResponse = message({})
export interface RemovePodSandboxResponse extends InferMessage<typeof RemovePodSandboxResponse> {}

export const PodSandboxStatusRequest = message({
  podSandboxId: stringField(1),
  verbose: boolField(2),
})
export interface PodSandboxStatusRequest extends InferMessage<typeof PodSandboxStatusRequest> {}

export const CriPodIP = message({
  ip: stringField(1),
})
export interface CriPodIP extends InferMessage<typeof CriPodIP> {}

export const PodSandboxNetworkStatus = message({
  ip: stringField(1),
  additionalIps: messageListField<CriPodIP>(2, CriPodIP),
})
export interface PodSandboxNetworkStatus extends InferMessage<typeof PodSandboxNetworkStatus> {}

export const CriNamespace = message({
  options: messageField<NamespaceOption>(2, NamespaceOption),
})
export interface CriNamespace extends InferMessage<typeof CriNamespace> {}

export const LinuxPodSandboxStatus = message({
  namespaces: messageField<CriNamespace>(1, CriNamespace),
})
export interface LinuxPodSandboxStatus extends InferMessage<typeof LinuxPodSandboxStatus> {}

export const PodSandboxStatus = message({
  id: stringField(1),
  metadata: messageField<PodSandboxMetadata>(2, PodSandboxMetadata),
  state: enumField(3, PodSandboxState),
  createdAt: timestampField(4),
  network: messageField<PodSandboxNetworkStatus>(5, PodSandboxNetworkStatus),
  linux: messageField<LinuxPodSandboxStatus>(6, LinuxPodSandboxStatus),
  labels: stringMapField(7),
  annotations: stringMapField(8),
  runtimeHandler: stringField(9),
})
export interface PodSandboxStatus extends InferMessage<typeof PodSandboxStatus> {}

export const PodSandboxStatusResponse = message({
  status: messageField<PodSandboxStatus>(1, PodSandboxStatus),
  info: stringMapField(2),
  containersStatuses: messageListField<CriContainerStatus>(3, CriContainerStatus),
  timestamp: timestampField(4),
})
export interface PodSandboxStatusResponse extends InferMessage<typeof PodSandboxStatusResponse> {}

export const PodSandboxStateValue = message({
  state: enumField(1, PodSandboxState),
})
export interface PodSandboxStateValue extends InferMessage<typeof PodSandboxStateValue> {}

export const PodSandboxFilter = message({
  id: stringField(1),
  state: messageField<PodSandboxStateValue>(2, PodSandboxStateValue),
  labelSelector: stringMapField(3),
})
export interface PodSandboxFilter extends InferMessage<typeof PodSandboxFilter> {}

export const ListPodSandboxRequest = message({
  filter: messageField<PodSandboxFilter>(1, PodSandboxFilter),
})
export interface ListPodSandboxRequest extends InferMessage<typeof ListPodSandboxRequest> {}

export const PodSandbox = message({
  id: stringField(1),
  metadata: messageField<PodSandboxMetadata>(2, PodSandboxMetadata),
  state: enumField(3, PodSandboxState),
  createdAt: timestampField(4),
  labels: stringMapField(5),
  annotations: stringMapField(6),
  runtimeHandler: stringField(7),
})
export interface PodSandbox extends InferMessage<typeof PodSandbox> {}

export const ListPodSandboxResponse = message({
  items: messageListField<PodSandbox>(1, PodSandbox),
})
export interface ListPodSandboxResponse extends InferMessage<typeof ListPodSandboxResponse> {}

export const StreamPodSandboxesRequest = message({
  filter: messageField<PodSandboxFilter>(1, PodSandboxFilter),
})
export interface StreamPodSandboxesRequest extends InferMessage<typeof StreamPodSandboxesRequest> {}

export const StreamPodSandboxesResponse = message({
  podSandboxes: messageListField<PodSandbox>(1, PodSandbox),
})
export interface StreamPodSandboxesResponse extends InferMessage<typeof StreamPodSandboxesResponse> {}

export const UpdatePodSandboxResourcesRequest = message({
  podSandboxId: stringField(1),
  overhead: messageField<LinuxContainerResources>(2, LinuxContainerResources),
  resources: messageField<LinuxContainerResources>(3, LinuxContainerResources),
})
export interface UpdatePodSandboxResourcesRequest extends InferMessage<typeof UpdatePodSandboxResourcesRequest> {}

export const UpdatePodSandboxResourcesResponse = message({})
export interface UpdatePodSandboxResourcesResponse extends InferMessage<typeof UpdatePodSandboxResourcesResponse> {}
