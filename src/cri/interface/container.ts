/** Containers. */
import {
  boolField,
  enumField,
  intField,
  messageField,
  messageListField,
  stringField,
  stringListField,
  stringMapField,
  timestampField,
  uintField,
} from './fields.js'
import { ImageSpec } from './image.js'
import { type InferMessage, message } from './message.js'
import { ContainerResources, LinuxContainerResources } from './resources.js'
import { PodSandboxConfig } from './sandbox-config.js'
import { CriContainerUser, IDMapping, LinuxContainerSecurityContext } from './security.js'
import { CriSignal } from './signal.js'
import { KeyValue } from './values.js'
import { WindowsContainerConfig, WindowsContainerResources } from './windows.js'

export const MountPropagation = [
  'PROPAGATION_PRIVATE',
  'PROPAGATION_HOST_TO_CONTAINER',
  'PROPAGATION_BIDIRECTIONAL',
] as const
export type MountPropagation = (typeof MountPropagation)[number]

export const CriContainerState = [
  'CONTAINER_CREATED',
  'CONTAINER_RUNNING',
  'CONTAINER_EXITED',
  'CONTAINER_UNKNOWN',
] as const
export type CriContainerState = (typeof CriContainerState)[number]

export const Mount = message({
  containerPath: stringField(1),
  hostPath: stringField(2),
  readonly: boolField(3),
  selinuxRelabel: boolField(4),
  propagation: enumField(5, MountPropagation),
  uidMappings: messageListField<IDMapping>(6, IDMapping),
  gidMappings: messageListField<IDMapping>(7, IDMapping),
  recursiveReadOnly: boolField(8),
  image: messageField<ImageSpec>(9, ImageSpec),
  imageSubPath: stringField(10),
})
export interface Mount extends InferMessage<typeof Mount> {}

export const LinuxContainerConfig = message({
  resources: messageField<LinuxContainerResources>(1, LinuxContainerResources),
  securityContext: messageField<LinuxContainerSecurityContext>(2, LinuxContainerSecurityContext),
})
export interface LinuxContainerConfig extends InferMessage<typeof LinuxContainerConfig> {}

export const ContainerMetadata = message({
  name: stringField(1),
  attempt: uintField(2),
})
export interface ContainerMetadata extends InferMessage<typeof ContainerMetadata> {}

export const CriDevice = message({
  containerPath: stringField(1),
  hostPath: stringField(2),
  permissions: stringField(3),
})
export interface CriDevice extends InferMessage<typeof CriDevice> {}

export const CDIDevice = message({
  name: stringField(1),
})
export interface CDIDevice extends InferMessage<typeof CDIDevice> {}

export const ContainerConfig = message({
  metadata: messageField<ContainerMetadata>(1, ContainerMetadata),
  image: messageField<ImageSpec>(2, ImageSpec),
  command: stringListField(3),
  args: stringListField(4),
  workingDir: stringField(5),
  envs: messageListField<KeyValue>(6, KeyValue),
  mounts: messageListField<Mount>(7, Mount),
  devices: messageListField<CriDevice>(8, CriDevice),
  labels: stringMapField(9),
  annotations: stringMapField(10),
  logPath: stringField(11),
  stdin: boolField(12),
  stdinOnce: boolField(13),
  tty: boolField(14),
  linux: messageField<LinuxContainerConfig>(15, LinuxContainerConfig),
  windows: messageField<WindowsContainerConfig>(16, WindowsContainerConfig),
  CDIDevices: messageListField<CDIDevice>(17, CDIDevice),
  stopSignal: enumField(18, CriSignal),
})
export interface ContainerConfig extends InferMessage<typeof ContainerConfig> {}

export const CreateContainerRequest = message({
  podSandboxId: stringField(1),
  config: messageField<ContainerConfig>(2, ContainerConfig),
  sandboxConfig: messageField<PodSandboxConfig>(3, PodSandboxConfig),
})
export interface CreateContainerRequest extends InferMessage<typeof CreateContainerRequest> {}

export const CreateContainerResponse = message({
  containerId: stringField(1),
})
export interface CreateContainerResponse extends InferMessage<typeof CreateContainerResponse> {}

export const StartContainerRequest = message({
  containerId: stringField(1),
})
export interface StartContainerRequest extends InferMessage<typeof StartContainerRequest> {}

export const StartContainerResponse = message({})
export interface StartContainerResponse extends InferMessage<typeof StartContainerResponse> {}

export const StopContainerRequest = message({
  containerId: stringField(1),
  timeout: intField(2),
})
export interface StopContainerRequest extends InferMessage<typeof StopContainerRequest> {}

export const StopContainerResponse = message({})
export interface StopContainerResponse extends InferMessage<typeof StopContainerResponse> {}

export const RemoveContainerRequest = message({
  containerId: stringField(1),
})
export interface RemoveContainerRequest extends InferMessage<typeof RemoveContainerRequest> {}

export const RemoveContainerResponse = message({})
export interface RemoveContainerResponse extends InferMessage<typeof RemoveContainerResponse> {}

export const ContainerStateValue = message({
  state: enumField(1, CriContainerState),
})
export interface ContainerStateValue extends InferMessage<typeof ContainerStateValue> {}

export const ContainerFilter = message({
  id: stringField(1),
  state: messageField<ContainerStateValue>(2, ContainerStateValue),
  podSandboxId: stringField(3),
  labelSelector: stringMapField(4),
})
export interface ContainerFilter extends InferMessage<typeof ContainerFilter> {}

export const ListContainersRequest = message({
  filter: messageField<ContainerFilter>(1, ContainerFilter),
})
export interface ListContainersRequest extends InferMessage<typeof ListContainersRequest> {}

export const CriContainer = message({
  id: stringField(1),
  podSandboxId: stringField(2),
  metadata: messageField<ContainerMetadata>(3, ContainerMetadata),
  image: messageField<ImageSpec>(4, ImageSpec),
  imageRef: stringField(5),
  state: enumField(6, CriContainerState),
  createdAt: timestampField(7),
  labels: stringMapField(8),
  annotations: stringMapField(9),
  imageId: stringField(10),
})
export interface CriContainer extends InferMessage<typeof CriContainer> {}

export const ListContainersResponse = message({
  containers: messageListField<CriContainer>(1, CriContainer),
})
export interface ListContainersResponse extends InferMessage<typeof ListContainersResponse> {}

export const StreamContainersRequest = message({
  filter: messageField<ContainerFilter>(1, ContainerFilter),
})
export interface StreamContainersRequest extends InferMessage<typeof StreamContainersRequest> {}

export const StreamContainersResponse = message({
  containers: messageListField<CriContainer>(1, CriContainer),
})
export interface StreamContainersResponse extends InferMessage<typeof StreamContainersResponse> {}

export const ContainerStatusRequest = message({
  containerId: stringField(1),
  verbose: boolField(2),
})
export interface ContainerStatusRequest extends InferMessage<typeof ContainerStatusRequest> {}

export const CriContainerStatus = message({
  id: stringField(1),
  metadata: messageField<ContainerMetadata>(2, ContainerMetadata),
  state: enumField(3, CriContainerState),
  createdAt: timestampField(4),
  startedAt: timestampField(5),
  finishedAt: timestampField(6),
  exitCode: intField(7),
  image: messageField<ImageSpec>(8, ImageSpec),
  imageRef: stringField(9),
  reason: stringField(10),
  message: stringField(11),
  labels: stringMapField(12),
  annotations: stringMapField(13),
  mounts: messageListField<Mount>(14, Mount),
  logPath: stringField(15),
  resources: messageField<ContainerResources>(16, ContainerResources),
  imageId: stringField(17),
  user: messageField<CriContainerUser>(18, CriContainerUser),
  stopSignal: enumField(19, CriSignal),
})
export interface CriContainerStatus extends InferMessage<typeof CriContainerStatus> {}

export const ContainerStatusResponse = message({
  status: messageField<CriContainerStatus>(1, CriContainerStatus),
  info: stringMapField(2),
})
export interface ContainerStatusResponse extends InferMessage<typeof ContainerStatusResponse> {}

export const UpdateContainerResourcesRequest = message({
  containerId: stringField(1),
  linux: messageField<LinuxContainerResources>(2, LinuxContainerResources),
  windows: messageField<WindowsContainerResources>(3, WindowsContainerResources),
  annotations: stringMapField(4),
})
export interface UpdateContainerResourcesRequest extends InferMessage<typeof UpdateContainerResourcesRequest> {}

export const UpdateContainerResourcesResponse = message({})
export interface UpdateContainerResourcesResponse extends InferMessage<typeof UpdateContainerResourcesResponse> {}

export const ContainerAttributes = message({
  id: stringField(1),
  metadata: messageField<ContainerMetadata>(2, ContainerMetadata),
  labels: stringMapField(3),
  annotations: stringMapField(4),
})
export interface ContainerAttributes extends InferMessage<typeof ContainerAttributes> {}

export const ReopenContainerLogRequest = message({
  containerId: stringField(1),
})
export interface ReopenContainerLogRequest extends InferMessage<typeof ReopenContainerLogRequest> {}

export const ReopenContainerLogResponse = message({})
export interface ReopenContainerLogResponse extends InferMessage<typeof ReopenContainerLogResponse> {}

export const CheckpointContainerRequest = message({
  containerId: stringField(1),
  location: stringField(2),
  timeout: intField(3),
})
export interface CheckpointContainerRequest extends InferMessage<typeof CheckpointContainerRequest> {}

export const CheckpointContainerResponse = message({})
export interface CheckpointContainerResponse extends InferMessage<typeof CheckpointContainerResponse> {}
