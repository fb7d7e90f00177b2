/** Computes the status of one container from its observation and its previous status. */

import type {
  ContainerState,
  ContainerStateTerminated,
  ContainerStatus,
  VolumeMountStatus,
} from '../../api/core/v1/container/status.js'
import type { Container, RecursiveReadOnlyMode, VolumeMount } from '../../api/core/v1/container.js'
import { formatTime } from '../../schema/values/time.js'
import type { ObservedContainer } from '../runtime/observed-pod.js'
import { containerResourceStatus } from './container-resources.js'
import { restartingAllReason } from './restart-all.js'

/** What the statuses of all containers of a pod share. */
export interface ContainerStatusContext {
  readonly runtimeName: string
  /** The waiting reason of a container that has not been created. */
  readonly unstarted: 'ContainerCreating' | 'PodInitializing'
  /** The pod is being deleted: lost containers do not restart. */
  readonly isDeleted: boolean
  readonly isRestartingAll: boolean
  readonly mountsRecursivelyReadOnly: boolean
  /** Maximum bytes of a termination message. */
  readonly longestMessage: number
}

/** The previous status of the container, and the context of its pod. */
interface ContainerStatusInput {
  readonly previous: ContainerStatus | undefined
  readonly context: ContainerStatusContext
}

/** State of a container that the runtime lost. The exit code marks it as failed. */
export const lostContainer: ContainerStateTerminated = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message: 'The container could not be located when the pod was terminated',
}

const vanished = 'The container could not be located when the pod was deleted.  The container used to be Running'
const removedForRestart = 'The container is removed because RestartAllContainers in place'

/** `observed` are the containers of that name, newest first. */
export function containerStatus(
  container: Container,
  observed: readonly ObservedContainer[],
  { previous, context }: ContainerStatusInput,
): ContainerStatus {
  const [last, beforeLast] = observed
  if (!last) return missingStatus(container, previous, context)
  const status = observedStatus(container, last, { previous, context: context })
  const before = beforeLast?.state === 'exited' ? endState(beforeLast, context) : undefined
  return before ? { ...status, lastState: before } : status
}

function unstartedStatus(container: Container, { unstarted, mountsRecursivelyReadOnly }: ContainerStatusContext) {
  return {
    name: container.name,
    state: { waiting: { reason: unstarted } } as ContainerState,
    lastState: {} as ContainerState,
    ready: false,
    restartCount: 0,
    image: container.image ?? '',
    imageID: '',
    ...volumeMountStatuses(container, mountsRecursivelyReadOnly),
  }
}

/** Status of a container that the runtime does not have. If it was running before, it must have exited since. */
function missingStatus(
  container: Container,
  previous: ContainerStatus | undefined,
  context: ContainerStatusContext,
): ContainerStatus {
  const status = unstartedStatus(container, context)
  if (!previous) return status
  const { state, lastState = {}, restartCount } = previous
  if (context.isRestartingAll && !state?.waiting) return removedStatus(status, previous)
  if (state?.terminated) return previous
  if (!state?.running)
    return { ...(previous.containerID ? previous : status), state: status.state, restartCount, lastState }
  if (lastState.terminated) return { ...status, restartCount, lastState }
  return {
    ...status,
    restartCount: context.isDeleted ? restartCount : restartCount + 1,
    lastState: { terminated: { ...lostContainer, message: vanished } },
  }
}

function removedStatus(status: ContainerStatus, { restartCount }: ContainerStatus): ContainerStatus {
  const details = { reason: restartingAllReason, message: removedForRestart }
  return {
    ...status,
    restartCount: restartCount + 1,
    state: { waiting: details },
    lastState: { terminated: { ...details, exitCode: 137 } },
  }
}

function observedStatus(
  container: Container,
  last: ObservedContainer,
  { previous, context }: ContainerStatusInput,
): ContainerStatus {
  const containerID = fullId(last, context)
  const isLost = last.state === 'unknown' && previous?.state?.running !== undefined
  return {
    ...unstartedStatus(container, context),
    state: isLost ? { terminated: lost(context) } : stateOf(last, { previous, context: context }),
    lastState: lastStateBefore(containerID, previous),
    restartCount: Math.max(last.restartCount, (previous?.restartCount ?? 0) + (isLost ? 1 : 0)),
    image: last.image,
    imageID: last.imageId,
    containerID,
    ...containerResourceStatus(container, last, previous),
    ...userOf(last),
  }
}

function lost({ isRestartingAll }: ContainerStatusContext): ContainerStateTerminated {
  return isRestartingAll ? { ...lostContainer, reason: restartingAllReason } : lostContainer
}

/** Keeps the last termination known after the runtime removed that container. */
function lastStateBefore(containerID: string, previous: ContainerStatus | undefined): ContainerState {
  if (!previous) return {}
  const { state, lastState = {} } = previous
  if (previous.containerID !== containerID && state?.terminated) return { terminated: state.terminated }
  return lastState.terminated ? lastState : {}
}

function stateOf(container: ObservedContainer, { previous, context }: ContainerStatusInput): ContainerState {
  if (container.state === 'running') return { running: { startedAt: formatTime(container.startedAt) } }
  if (container.state === 'exited') return endState(container, context)
  const isSame = previous?.containerID === fullId(container, context)
  return isSame && previous?.state?.terminated ? { terminated: previous.state.terminated } : { waiting: {} }
}

function endState(container: ObservedContainer, context: ContainerStatusContext): ContainerState {
  const { exitCode, reason, startedAt, finishedAt } = container
  const message = cut(container.message, context.longestMessage)
  return {
    terminated: {
      exitCode,
      ...(reason && { reason }),
      ...(message && { message }),
      startedAt: formatTime(startedAt),
      finishedAt: formatTime(finishedAt),
      containerID: fullId(container, context),
    },
  }
}

function fullId({ id }: ObservedContainer, { runtimeName }: ContainerStatusContext): string {
  return `${runtimeName}://${id}`
}

/** Cuts at a character boundary. */
function cut(text: string, longest: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= longest) return text
  let end = longest
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

function userOf({ user }: ObservedContainer): Pick<ContainerStatus, 'user'> {
  if (!user?.linux) return {}
  const { uid, gid, supplementalGroups } = user.linux
  return { user: { linux: { uid, gid, ...(supplementalGroups.length > 0 && { supplementalGroups }) } } }
}

/** Reports for each read-only mount whether it is recursively read-only. */
function volumeMountStatuses(
  { volumeMounts = [] }: Container,
  isRecursionPossible: boolean,
): Pick<ContainerStatus, 'volumeMounts'> {
  if (volumeMounts.length === 0) return {}
  return { volumeMounts: volumeMounts.map((mount) => mountStatus(mount, isRecursionPossible)) }
}

function mountStatus(mount: VolumeMount, isRecursionPossible: boolean): VolumeMountStatus {
  const { name, mountPath, readOnly } = mount
  if (!readOnly) return { name, mountPath }
  return { name, mountPath, readOnly, recursiveReadOnly: resolved(mount, isRecursionPossible) }
}

/** A mount with propagation cannot be recursively read-only. */
function resolved({ recursiveReadOnly, mountPropagation = 'None' }: VolumeMount, isPossible: boolean) {
  const isAskedFor = recursiveReadOnly === 'Enabled' || recursiveReadOnly === 'IfPossible'
  const mode: RecursiveReadOnlyMode = isAskedFor && isPossible && mountPropagation === 'None' ? 'Enabled' : 'Disabled'
  return mode
}
