/** What happens to containers, told as it happens. */

import { ContainerStatus } from './container.js'
import { choice, instant, messages, nested, text } from './fields.js'
import { type Infer, message } from './message.js'
import { PodSandboxStatus } from './sandbox.js'

export const ContainerEventType = [
  'CONTAINER_CREATED_EVENT',
  'CONTAINER_STARTED_EVENT',
  'CONTAINER_STOPPED_EVENT',
  'CONTAINER_DELETED_EVENT',
] as const
export type ContainerEventType = (typeof ContainerEventType)[number]

export const GetEventsRequest = message({})
export interface GetEventsRequest extends Infer<typeof GetEventsRequest> {}

export const ContainerEventResponse = message({
  containerId: text(1),
  containerEventType: choice(2, ContainerEventType),
  createdAt: instant(3),
  podSandboxStatus: nested<PodSandboxStatus>(4, PodSandboxStatus),
  containersStatuses: messages<ContainerStatus>(5, ContainerStatus),
})
export interface ContainerEventResponse extends Infer<typeof ContainerEventResponse> {}
