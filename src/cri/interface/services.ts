import {
  CheckpointContainerRequest,
  CheckpointContainerResponse,
  ContainerStatusRequest,
  ContainerStatusResponse,
  CreateContainerRequest,
  CreateContainerResponse,
  ListContainersRequest,
  ListContainersResponse,
  RemoveContainerRequest,
  RemoveContainerResponse,
  ReopenContainerLogRequest,
  ReopenContainerLogResponse,
  StartContainerRequest,
  StartContainerResponse,
  StopContainerRequest,
  StopContainerResponse,
  StreamContainersRequest,
  StreamContainersResponse,
  UpdateContainerResourcesRequest,
  UpdateContainerResourcesResponse,
} from './container.js'
import { ContainerEventResponse, GetEventsRequest } from './events.js'
import {
  ImageFsInfoRequest,
  ImageFsInfoResponse,
  ImageStatusRequest,
  ImageStatusResponse,
  ListImagesRequest,
  ListImagesResponse,
  PullImageRequest,
  PullImageResponse,
  RemoveImageRequest,
  RemoveImageResponse,
  StreamImagesRequest,
  StreamImagesResponse,
} from './image.js'
import {
  ListMetricDescriptorsRequest,
  ListMetricDescriptorsResponse,
  ListPodSandboxMetricsRequest,
  ListPodSandboxMetricsResponse,
  StreamPodSandboxMetricsRequest,
  StreamPodSandboxMetricsResponse,
} from './metrics.js'
import {
  RuntimeConfigRequest,
  RuntimeConfigResponse,
  StatusRequest,
  StatusResponse,
  UpdateRuntimeConfigRequest,
  UpdateRuntimeConfigResponse,
  VersionRequest,
  VersionResponse,
} from './runtime.js'
import {
  ListPodSandboxRequest,
  ListPodSandboxResponse,
  PodSandboxStatusRequest,
  PodSandboxStatusResponse,
  RemovePodSandboxRequest,
  RemovePodSandboxResponse,
  RunPodSandboxRequest,
  RunPodSandboxResponse,
  StopPodSandboxRequest,
  StopPodSandboxResponse,
  StreamPodSandboxesRequest,
  StreamPodSandboxesResponse,
  UpdatePodSandboxResourcesRequest,
  UpdatePodSandboxResourcesResponse,
} from './sandbox.js'
import { call, type ServiceClient, type ServiceImplementation, service, stream } from './service.js'
import {
  ContainerStatsRequest,
  ContainerStatsResponse,
  ListContainerStatsRequest,
  ListContainerStatsResponse,
  ListPodSandboxStatsRequest,
  ListPodSandboxStatsResponse,
  PodSandboxStatsRequest,
  PodSandboxStatsResponse,
  StreamContainerStatsRequest,
  StreamContainerStatsResponse,
  StreamPodSandboxStatsRequest,
  StreamPodSandboxStatsResponse,
} from './stats.js'
import {
  AttachRequest,
  AttachResponse,
  ExecRequest,
  ExecResponse,
  ExecSyncRequest,
  ExecSyncResponse,
  PortForwardRequest,
  PortForwardResponse,
} from './streaming.js'

export const runtimeService = service('runtime.v1.RuntimeService', {
  version: call<VersionRequest, VersionResponse>('Version', VersionRequest, VersionResponse),
  runPodSandbox: call<RunPodSandboxRequest, RunPodSandboxResponse>(
    'RunPodSandbox',
    RunPodSandboxRequest,
    RunPodSandboxResponse,
  ),
  stopPodSandbox: call<StopPodSandboxRequest, StopPodSandboxResponse>(
    'StopPodSandbox',
    StopPodSandboxRequest,
    StopPodSandboxResponse,
  ),
  removePodSandbox: call<RemovePodSandboxRequest, RemovePodSandboxResponse>(
    'RemovePodSandbox',
    RemovePodSandboxRequest,
    RemovePodSandboxResponse,
  ),
  podSandboxStatus: call<PodSandboxStatusRequest, PodSandboxStatusResponse>(
    'PodSandboxStatus',
    PodSandboxStatusRequest,
    PodSandboxStatusResponse,
  ),
  listPodSandbox: call<ListPodSandboxRequest, ListPodSandboxResponse>(
    'ListPodSandbox',
    ListPodSandboxRequest,
    ListPodSandboxResponse,
  ),
  streamPodSandboxes: stream<StreamPodSandboxesRequest, StreamPodSandboxesResponse>(
    'StreamPodSandboxes',
    StreamPodSandboxesRequest,
    StreamPodSandboxesResponse,
  ),
  createContainer: call<CreateContainerRequest, CreateContainerResponse>(
    'CreateContainer',
    CreateContainerRequest,
    CreateContainerResponse,
  ),
  startContainer: call<StartContainerRequest, StartContainerResponse>(
    'StartContainer',
    StartContainerRequest,
    StartContainerResponse,
  ),
  stopContainer: call<StopContainerRequest, StopContainerResponse>(
    'StopContainer',
    StopContainerRequest,
    StopContainerResponse,
  ),
  removeContainer: call<RemoveContainerRequest, RemoveContainerResponse>(
    'RemoveContainer',
    RemoveContainerRequest,
    RemoveContainerResponse,
  ),
  listContainers: call<ListContainersRequest, ListContainersResponse>(
    'ListContainers',
    ListContainersRequest,
    ListContainersResponse,
  ),
  streamContainers: stream<StreamContainersRequest, StreamContainersResponse>(
    'StreamContainers',
    StreamContainersRequest,
    StreamContainersResponse,
  ),
  containerStatus: call<ContainerStatusRequest, ContainerStatusResponse>(
    'ContainerStatus',
    ContainerStatusRequest,
    ContainerStatusResponse,
  ),
  updateContainerResources: call<UpdateContainerResourcesRequest, UpdateContainerResourcesResponse>(
    'UpdateContainerResources',
    UpdateContainerResourcesRequest,
    UpdateContainerResourcesResponse,
  ),
  reopenContainerLog: call<ReopenContainerLogRequest, ReopenContainerLogResponse>(
    'ReopenContainerLog',
    ReopenContainerLogRequest,
    ReopenContainerLogResponse,
  ),
  execSync: call<ExecSyncRequest, ExecSyncResponse>('ExecSync', ExecSyncRequest, ExecSyncResponse),
  exec: call<ExecRequest, ExecResponse>('Exec', ExecRequest, ExecResponse),
  attach: call<AttachRequest, AttachResponse>('Attach', AttachRequest, AttachResponse),
  portForward: call<PortForwardRequest, PortForwardResponse>('PortForward', PortForwardRequest, PortForwardResponse),
  containerStats: call<ContainerStatsRequest, ContainerStatsResponse>(
    'ContainerStats',
    ContainerStatsRequest,
    ContainerStatsResponse,
  ),
  listContainerStats: call<ListContainerStatsRequest, ListContainerStatsResponse>(
    'ListContainerStats',
    ListContainerStatsRequest,
    ListContainerStatsResponse,
  ),
  streamContainerStats: stream<StreamContainerStatsRequest, StreamContainerStatsResponse>(
    'StreamContainerStats',
    StreamContainerStatsRequest,
    StreamContainerStatsResponse,
  ),
  podSandboxStats: call<PodSandboxStatsRequest, PodSandboxStatsResponse>(
    'PodSandboxStats',
    PodSandboxStatsRequest,
    PodSandboxStatsResponse,
  ),
  listPodSandboxStats: call<ListPodSandboxStatsRequest, ListPodSandboxStatsResponse>(
    'ListPodSandboxStats',
    ListPodSandboxStatsRequest,
    ListPodSandboxStatsResponse,
  ),
  streamPodSandboxStats: stream<StreamPodSandboxStatsRequest, StreamPodSandboxStatsResponse>(
    'StreamPodSandboxStats',
    StreamPodSandboxStatsRequest,
    StreamPodSandboxStatsResponse,
  ),
  updateRuntimeConfig: call<UpdateRuntimeConfigRequest, UpdateRuntimeConfigResponse>(
    'UpdateRuntimeConfig',
    UpdateRuntimeConfigRequest,
    UpdateRuntimeConfigResponse,
  ),
  status: call<StatusRequest, StatusResponse>('Status', StatusRequest, StatusResponse),
  checkpointContainer: call<CheckpointContainerRequest, CheckpointContainerResponse>(
    'CheckpointContainer',
    CheckpointContainerRequest,
    CheckpointContainerResponse,
  ),
  getContainerEvents: stream<GetEventsRequest, ContainerEventResponse>(
    'GetContainerEvents',
    GetEventsRequest,
    ContainerEventResponse,
  ),
  listMetricDescriptors: call<ListMetricDescriptorsRequest, ListMetricDescriptorsResponse>(
    'ListMetricDescriptors',
    ListMetricDescriptorsRequest,
    ListMetricDescriptorsResponse,
  ),
  listPodSandboxMetrics: call<ListPodSandboxMetricsRequest, ListPodSandboxMetricsResponse>(
    'ListPodSandboxMetrics',
    ListPodSandboxMetricsRequest,
    ListPodSandboxMetricsResponse,
  ),
  streamPodSandboxMetrics: stream<StreamPodSandboxMetricsRequest, StreamPodSandboxMetricsResponse>(
    'StreamPodSandboxMetrics',
    StreamPodSandboxMetricsRequest,
    StreamPodSandboxMetricsResponse,
  ),
  runtimeConfig: call<RuntimeConfigRequest, RuntimeConfigResponse>(
    'RuntimeConfig',
    RuntimeConfigRequest,
    RuntimeConfigResponse,
  ),
  updatePodSandboxResources: call<UpdatePodSandboxResourcesRequest, UpdatePodSandboxResourcesResponse>(
    'UpdatePodSandboxResources',
    UpdatePodSandboxResourcesRequest,
    UpdatePodSandboxResourcesResponse,
  ),
})

export const imageService = service('runtime.v1.ImageService', {
  listImages: call<ListImagesRequest, ListImagesResponse>('ListImages', ListImagesRequest, ListImagesResponse),
  streamImages: stream<StreamImagesRequest, StreamImagesResponse>(
    'StreamImages',
    StreamImagesRequest,
    StreamImagesResponse,
  ),
  imageStatus: call<ImageStatusRequest, ImageStatusResponse>('ImageStatus', ImageStatusRequest, ImageStatusResponse),
  pullImage: call<PullImageRequest, PullImageResponse>('PullImage', PullImageRequest, PullImageResponse),
  removeImage: call<RemoveImageRequest, RemoveImageResponse>('RemoveImage', RemoveImageRequest, RemoveImageResponse),
  imageFsInfo: call<ImageFsInfoRequest, ImageFsInfoResponse>('ImageFsInfo', ImageFsInfoRequest, ImageFsInfoResponse),
})

export type RuntimeService = ServiceClient<typeof runtimeService>
export type ImageService = ServiceClient<typeof imageService>

/** A container runtime as its callers see it, on a socket (`../client.ts`) or in this process (`../in-process.ts`). */
export interface ContainerRuntime extends RuntimeService, ImageService {}

/** A container runtime as its implementer writes it, for `../server.ts` and `../in-process.ts`. */
export interface RuntimeImplementation
  extends ServiceImplementation<typeof runtimeService>,
    ServiceImplementation<typeof imageService> {}
