import {
  bool,
  int32,
  int64,
  list,
  map,
  oneOf,
  openEnumeration,
  quantity,
  ref,
  string,
  time,
  type Values,
} from '../../../../schema/fields.js'
import type { Infer } from '../../../../schema/infer.js'
import { schema } from '../../../../schema/schema.js'
import { RecursiveReadOnlyMode } from '../container.js'
import { ResourceName, type ResourceRequirements } from '../resource-requirements.js'
import { Signal } from './signal.js'

export const ResourceHealthStatus = openEnumeration('core/v1.ResourceHealthStatus', ['Healthy', 'Unhealthy', 'Unknown'])
export type ResourceHealthStatus = Values<typeof ResourceHealthStatus>

export const ContainerStatus = schema('core/v1.ContainerStatus', {
  required: {
    name: string(1),
    ready: bool(4),
    restartCount: int32(5),
    image: string(6),
    imageID: string(7),
  },
  optional: {
    state: ref<ContainerState>(2, 'core/v1.ContainerState', { always: true }),
    lastState: ref<ContainerState>(3, 'core/v1.ContainerState', { always: true }),
    containerID: string(8),
    started: bool(9, { keepZero: true }),
    allocatedResources: map(10, quantity, { goType: 'v1.ResourceList' }),
    resources: ref<ResourceRequirements>(11, 'core/v1.ResourceRequirements'),
    volumeMounts: list(12, ref<VolumeMountStatus>('core/v1.VolumeMountStatus'), {
      keys: ['mountPath'],
      mergeKey: 'mountPath',
    }),
    user: ref<ContainerUser>(13, 'core/v1.ContainerUser'),
    allocatedResourcesStatus: list(14, ref<ResourceStatus>('core/v1.ResourceStatus'), {
      keys: ['name'],
      mergeKey: 'name',
    }),
    stopSignal: oneOf(15, Signal, { keepZero: true }),
  },
})
export interface ContainerStatus extends Infer<typeof ContainerStatus> {}

export const ResourceStatus = schema('core/v1.ResourceStatus', {
  required: {
    name: oneOf(1, ResourceName),
  },
  optional: {
    resources: list(2, ref<ResourceHealth>('core/v1.ResourceHealth'), { keys: ['resourceID'] }),
  },
})
export interface ResourceStatus extends Infer<typeof ResourceStatus> {}

export const ResourceHealth = schema('core/v1.ResourceHealth', {
  required: {
    resourceID: string(1, { goType: 'v1.ResourceID' }),
  },
  optional: {
    health: oneOf(2, ResourceHealthStatus),
    message: string(6, { keepZero: true }),
  },
})
export interface ResourceHealth extends Infer<typeof ResourceHealth> {}

export const ContainerState = schema('core/v1.ContainerState', {
  optional: {
    waiting: ref<ContainerStateWaiting>(1, 'core/v1.ContainerStateWaiting'),
    running: ref<ContainerStateRunning>(2, 'core/v1.ContainerStateRunning'),
    terminated: ref<ContainerStateTerminated>(3, 'core/v1.ContainerStateTerminated'),
  },
})
export interface ContainerState extends Infer<typeof ContainerState> {}

export const ContainerStateRunning = schema('core/v1.ContainerStateRunning', {
  optional: {
    startedAt: time(1, { always: true }),
  },
})
export interface ContainerStateRunning extends Infer<typeof ContainerStateRunning> {}

export const ContainerStateTerminated = schema('core/v1.ContainerStateTerminated', {
  required: {
    exitCode: int32(1),
  },
  optional: {
    signal: int32(2),
    reason: string(3),
    message: string(4),
    startedAt: time(5, { always: true }),
    finishedAt: time(6, { always: true }),
    containerID: string(7),
  },
})
export interface ContainerStateTerminated extends Infer<typeof ContainerStateTerminated> {}

export const ContainerStateWaiting = schema('core/v1.ContainerStateWaiting', {
  optional: {
    reason: string(1),
    message: string(2),
  },
})
export interface ContainerStateWaiting extends Infer<typeof ContainerStateWaiting> {}

export const ContainerUser = schema('core/v1.ContainerUser', {
  optional: {
    linux: ref<LinuxContainerUser>(1, 'core/v1.LinuxContainerUser'),
  },
})
export interface ContainerUser extends Infer<typeof ContainerUser> {}

export const LinuxContainerUser = schema('core/v1.LinuxContainerUser', {
  required: {
    uid: int64(1),
    gid: int64(2),
  },
  optional: {
    supplementalGroups: list(3, int64),
  },
})
export interface LinuxContainerUser extends Infer<typeof LinuxContainerUser> {}

export const VolumeMountStatus = schema('core/v1.VolumeMountStatus', {
  required: {
    name: string(1),
    mountPath: string(2),
  },
  optional: {
    readOnly: bool(3),
    recursiveReadOnly: oneOf(4, RecursiveReadOnlyMode, { keepZero: true }),
    volumeStatus: ref<VolumeStatus>(5, 'core/v1.VolumeStatus'),
  },
})
export interface VolumeMountStatus extends Infer<typeof VolumeMountStatus> {}

export const VolumeStatus = schema('core/v1.VolumeStatus', {
  optional: {
    image: ref<ImageVolumeStatus>(1, 'core/v1.ImageVolumeStatus'),
  },
})
export interface VolumeStatus extends Infer<typeof VolumeStatus> {}

export const ImageVolumeStatus = schema('core/v1.ImageVolumeStatus', {
  required: {
    imageRef: string(1, { always: false }),
  },
})
export interface ImageVolumeStatus extends Infer<typeof ImageVolumeStatus> {}
