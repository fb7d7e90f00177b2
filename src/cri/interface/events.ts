/** Container events. */

import { CriContainerStatus } from './container.js'
import { enumField, messageField, messageListField, stringField, timestampField } from './fields.js'
import { type InferMessage, message } from './message.js'
import { PodSandboxStatus } from './sandbox.js'

export const ContainerEventType = [
  'CONTAINER_CREATED_EVENT',
  'CONTAINER_STARTED_EVENT',
  'CONTAINER_STOPPED_EVENT',
  'CONTAINER_DELETED_EVENT',
] as const
export type ContainerEventType = (typeof ContainerEventType)[number]

export const GetEventsRequest = message({})
export interface GetEventsRequest extends InferMessage<typeof GetEventsRequest> {}

export const ContainerEventResponse = message({
  containerId: stringField(1),
  containerEventType: enumField(2, ContainerEventType),
  createdAt: timestampField(3),
  podSandboxStatus: messageField<PodSandboxStatus>(4, PodSandboxStatus),
  containersStatuses: messageListField<CriContainerStatus>(5, CriContainerStatus),
})
export interface ContainerEventResponse extends InferMessage<typeof ContainerEventResponse> {}
