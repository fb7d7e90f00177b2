/** Containers. */
import { choice, instant, integer, messages, nested, text, textMap, texts, truth, unsigned } from './fields.js'
import { ImageSpec } from './image.js'
import { type Infer, message } from './message.js'
import { ContainerResources, LinuxContainerResources } from './resources.js'
import { PodSandboxConfig } from './sandbox-config.js'
import { ContainerUser, IDMapping, LinuxContainerSecurityContext } from './security.js'
import { Signal } from './signal.js'
import { KeyValue } from './values.js'
import { WindowsContainerConfig, WindowsContainerResources } from './windows.js'

export const MountPropagation = [
  'PROPAGATION_PRIVATE',
  'PROPAGATION_HOST_TO_CONTAINER',
  'PROPAGATION_BIDIRECTIONAL',
] as const
export type MountPropagation = (typeof MountPropagation)[number]

export const ContainerState = [
  'CONTAINER_CREATED',
  'CONTAINER_RUNNING',
  'CONTAINER_EXITED',
  'CONTAINER_UNKNOWN',
] as const
export type ContainerState = (typeof ContainerState)[number]

export const Mount = message({
  containerPath: text(1),
  hostPath: text(2),
  readonly: truth(3),
  selinuxRelabel: truth(4),
  propagation: choice(5, MountPropagation),
  uidMappings: messages<IDMapping>(6, IDMapping),
  gidMappings: messages<IDMapping>(7, IDMapping),
  recursiveReadOnly: truth(8),
  image: nested<ImageSpec>(9, ImageSpec),
  imageSubPath: text(10),
})
export interface Mount extends Infer<typeof Mount> {}

export const LinuxContainerConfig = message({
  resources: nested<LinuxContainerResources>(1, LinuxContainerResources),
  securityContext: nested<LinuxContainerSecurityContext>(2, LinuxContainerSecurityContext),
})
export interface LinuxContainerConfig extends Infer<typeof LinuxContainerConfig> {}

export const ContainerMetadata = message({
  name: text(1),
  attempt: unsigned(2),
})
export interface ContainerMetadata extends Infer<typeof ContainerMetadata> {}

export const Device = message({
  containerPath: text(1),
  hostPath: text(2),
  permissions: text(3),
})
export interface Device extends Infer<typeof Device> {}

export const CDIDevice = message({
  name: text(1),
})
export interface CDIDevice extends Infer<typeof CDIDevice> {}

export const ContainerConfig = message({
  metadata: nested<ContainerMetadata>(1, ContainerMetadata),
  image: nested<ImageSpec>(2, ImageSpec),
  command: texts(3),
  args: texts(4),
  workingDir: text(5),
  envs: messages<KeyValue>(6, KeyValue),
  mounts: messages<Mount>(7, Mount),
  devices: messages<Device>(8, Device),
  labels: textMap(9),
  annotations: textMap(10),
  logPath: text(11),
  stdin: truth(12),
  stdinOnce: truth(13),
  tty: truth(14),
  linux: nested<LinuxContainerConfig>(15, LinuxContainerConfig),
  windows: nested<WindowsContainerConfig>(16, WindowsContainerConfig),
  CDIDevices: messages<CDIDevice>(17, CDIDevice),
  stopSignal: choice(18, Signal),
})
export interface ContainerConfig extends Infer<typeof ContainerConfig> {}

export const CreateContainerRequest = message({
  podSandboxId: text(1),
  config: nested<ContainerConfig>(2, ContainerConfig),
  sandboxConfig: nested<PodSandboxConfig>(3, PodSandboxConfig),
})
export interface CreateContainerRequest extends Infer<typeof CreateContainerRequest> {}

export const CreateContainerResponse = message({
  containerId: text(1),
})
export interface CreateContainerResponse extends Infer<typeof CreateContainerResponse> {}

export const StartContainerRequest = message({
  containerId: text(1),
})
export interface StartContainerRequest extends Infer<typeof StartContainerRequest> {}

export const StartContainerResponse = message({})
export interface StartContainerResponse extends Infer<typeof StartContainerResponse> {}

export const StopContainerRequest = message({
  containerId: text(1),
  timeout: integer(2),
})
export interface StopContainerRequest extends Infer<typeof StopContainerRequest> {}

export const StopContainerResponse = message({})
export interface StopContainerResponse extends Infer<typeof StopContainerResponse> {}

export const RemoveContainerRequest = message({
  containerId: text(1),
})
export interface RemoveContainerRequest extends Infer<typeof RemoveContainerRequest> {}

export const RemoveContainerResponse = message({})
export interface RemoveContainerResponse extends Infer<typeof RemoveContainerResponse> {}

export const ContainerStateValue = message({
  state: choice(1, ContainerState),
})
export interface ContainerStateValue extends Infer<typeof ContainerStateValue> {}

export const ContainerFilter = message({
  id: text(1),
  state: nested<ContainerStateValue>(2, ContainerStateValue),
  podSandboxId: text(3),
  labelSelector: textMap(4),
})
export interface ContainerFilter extends Infer<typeof ContainerFilter> {}

export const ListContainersRequest = message({
  filter: nested<ContainerFilter>(1, ContainerFilter),
})
export interface ListContainersRequest extends Infer<typeof ListContainersRequest> {}

export const Container = message({
  id: text(1),
  podSandboxId: text(2),
  metadata: nested<ContainerMetadata>(3, ContainerMetadata),
  image: nested<ImageSpec>(4, ImageSpec),
  imageRef: text(5),
  state: choice(6, ContainerState),
  createdAt: instant(7),
  labels: textMap(8),
  annotations: textMap(9),
  imageId: text(10),
})
export interface Container extends Infer<typeof Container> {}

export const ListContainersResponse = message({
  containers: messages<Container>(1, Container),
})
export interface ListContainersResponse extends Infer<typeof ListContainersResponse> {}

export const StreamContainersRequest = message({
  filter: nested<ContainerFilter>(1, ContainerFilter),
})
export interface StreamContainersRequest extends Infer<typeof StreamContainersRequest> {}

export const StreamContainersResponse = message({
  containers: messages<Container>(1, Container),
})
export interface StreamContainersResponse extends Infer<typeof StreamContainersResponse> {}

export const ContainerStatusRequest = message({
  containerId: text(1),
  verbose: truth(2),
})
export interface ContainerStatusRequest extends Infer<typeof ContainerStatusRequest> {}

export const ContainerStatus = message({
  id: text(1),
  metadata: nested<ContainerMetadata>(2, ContainerMetadata),
  state: choice(3, ContainerState),
  createdAt: instant(4),
  startedAt: instant(5),
  finishedAt: instant(6),
  exitCode: integer(7),
  image: nested<ImageSpec>(8, ImageSpec),
  imageRef: text(9),
  reason: text(10),
  message: text(11),
  labels: textMap(12),
  annotations: textMap(13),
  mounts: messages<Mount>(14, Mount),
  logPath: text(15),
  resources: nested<ContainerResources>(16, ContainerResources),
  imageId: text(17),
  user: nested<ContainerUser>(18, ContainerUser),
  stopSignal: choice(19, Signal),
})
export interface ContainerStatus extends Infer<typeof ContainerStatus> {}

export const ContainerStatusResponse = message({
  status: nested<ContainerStatus>(1, ContainerStatus),
  info: textMap(2),
})
export interface ContainerStatusResponse extends Infer<typeof ContainerStatusResponse> {}

export const UpdateContainerResourcesRequest = message({
  containerId: text(1),
  linux: nested<LinuxContainerResources>(2, LinuxContainerResources),
  windows: nested<WindowsContainerResources>(3, WindowsContainerResources),
  annotations: textMap(4),
})
export interface UpdateContainerResourcesRequest extends Infer<typeof UpdateContainerResourcesRequest> {}

export const UpdateContainerResourcesResponse = message({})
export interface UpdateContainerResourcesResponse extends Infer<typeof UpdateContainerResourcesResponse> {}

export const ContainerAttributes = message({
  id: text(1),
  metadata: nested<ContainerMetadata>(2, ContainerMetadata),
  labels: textMap(3),
  annotations: textMap(4),
})
export interface ContainerAttributes extends Infer<typeof ContainerAttributes> {}

export const ReopenContainerLogRequest = message({
  containerId: text(1),
})
export interface ReopenContainerLogRequest extends Infer<typeof ReopenContainerLogRequest> {}

export const ReopenContainerLogResponse = message({})
export interface ReopenContainerLogResponse extends Infer<typeof ReopenContainerLogResponse> {}

export const CheckpointContainerRequest = message({
  containerId: text(1),
  location: text(2),
  timeout: integer(3),
})
export interface CheckpointContainerRequest extends Infer<typeof CheckpointContainerRequest> {}

export const CheckpointContainerResponse = message({})
export interface CheckpointContainerResponse extends Infer<typeof CheckpointContainerResponse> {}
