import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import { qosClassOf } from '../../api/core/v1/pod/qos.js'
import type { PodPhase, PodStatus } from '../../api/core/v1/pod/status.js'
import { formatTime } from '../../schema/values/time.js'
import { statusAddresses } from './addresses.js'
import { type ContainerStatuses, containerStatuses } from './container-statuses.js'
import { isFinalPhase, phaseOf } from './phase.js'
import { podConditions } from './pod-conditions.js'
import { podLevelResources } from './pod-level-resources.js'
import type { PodFailure, PodStatusInput } from './pod-status-input.js'
import { hasInitialized } from './sandbox-use.js'
import { terminatedContainers, terminatedPhase } from './terminated-status.js'

/** Computes the whole status of a pod. Final states in the previous status are never reverted. */
export function podStatus(input: PodStatusInput): PodStatus {
  const { pod, failure, isTerminated, obstacle } = input
  if (failure?.isRejection) return rejectedStatus(input, failure)
  if (wasRejected(input)) return input.previous
  const found = containerStatuses(input)
  const statuses = isTerminated ? terminatedContainers(pod, found) : obstacle ? blocked(found) : found
  const all = [...statuses.initContainerStatuses, ...statuses.containerStatuses]
  const phaseStatus = statusPhase(input, all)
  return {
    ...common(input),
    ...(isWithheld(input, phaseStatus) ? previousPhase(input) : phaseStatus),
    conditions: podConditions(input, { phase: phaseStatus.phase, statuses: all }),
    ...statusAddresses(input),
    ...withoutEmpty(statuses),
    ...podLevelResources(pod, phaseStatus.phase),
  }
}

/** Waiting reason of containers in a pod that must not run for now. */
const blockedReason = 'Blocked'

type StatusPhase = Pick<PodStatus, 'reason' | 'message'> & { readonly phase: PodPhase }

/** A failure of the whole pod comes first, then the states of its containers. A final phase never changes. */
function statusPhase(input: PodStatusInput, all: readonly ContainerStatus[]): StatusPhase {
  const { pod, previous, failure, obstacle } = input
  const before = [previous, pod.status].find((status) => isFinalPhase(status?.phase))
  if (before) return { ...reasonIn(before), phase: before.phase! }
  if (failure) return { phase: failure.phase, reason: failure.reason, message: failure.message }
  const phase = phaseNow(input, all)
  if (obstacle && !isFinalPhase(phase)) return { ...obstacle, phase: 'Pending' }
  return phase === previous.phase && !wasBlocked(previous) ? { ...reasonIn(previous), phase } : { phase }
}

function wasBlocked({ initContainerStatuses = [], containerStatuses = [] }: PodStatus): boolean {
  return [...initContainerStatuses, ...containerStatuses].some(({ state }) => state?.waiting?.reason === blockedReason)
}

function phaseNow(input: PodStatusInput, all: readonly ContainerStatus[]): PodPhase {
  const { pod, isTerminated } = input
  const statusOf = (name: string) => all.find((status) => status.name === name)
  const phase = phaseOf(pod, statusOf, { isTerminated, hasInitialized: hasInitialized(input) })
  return isTerminated ? (terminatedPhase(pod, phase) ?? phase) : phase
}

function reasonIn({ reason, message }: PodStatus): Pick<PodStatus, 'reason' | 'message'> {
  return { ...(reason && { reason }), ...(message && { message }) }
}

/** Withholds a final phase while a container may still run, because its resources are not free yet. */
function isWithheld({ pod, observed, isTerminated, previous }: PodStatusInput, { phase }: StatusPhase): boolean {
  const isKnown = isFinalPhase(previous.phase) || isFinalPhase(pod.status?.phase)
  if (isTerminated || isKnown || !isFinalPhase(phase)) return false
  return observed.containers.some(({ state }) => state === 'running' || state === 'unknown')
}

function previousPhase({ previous }: PodStatusInput): StatusPhase {
  return { ...reasonIn(previous), phase: previous.phase ?? 'Pending' }
}

function common({ pod, previous, now }: PodStatusInput): PodStatus {
  const { generation } = pod.metadata
  return {
    ...(generation && { observedGeneration: generation }),
    startTime: previous.startTime ?? formatTime(now),
    qosClass: qosClassOf(pod.spec),
  }
}

/** A rejected pod has no other status. */
function rejectedStatus(input: PodStatusInput, { phase, reason, message }: PodFailure): PodStatus {
  return { ...common(input), phase, reason, message: `Pod was rejected: ${message}` }
}

/** Returns whether an earlier kubelet rejected the pod. Its status stays as it is. */
function wasRejected({ observed, previous }: PodStatusInput): boolean {
  const isUnknown = observed.sandboxes.length === 0 && observed.containers.length === 0
  return isUnknown && isFinalPhase(previous.phase) && !previous.containerStatuses?.length
}

/** Replaces the waiting reasons of all containers. */
function blocked(statuses: ContainerStatuses): ContainerStatuses {
  const changed = (list: readonly ContainerStatus[]) =>
    list.map((status) =>
      status.state?.waiting
        ? { ...status, state: { waiting: { ...status.state.waiting, reason: blockedReason } } }
        : status,
    )
  return {
    ...statuses,
    initContainerStatuses: changed(statuses.initContainerStatuses),
    containerStatuses: changed(statuses.containerStatuses),
  }
}

function withoutEmpty(statuses: ContainerStatuses): Partial<ContainerStatuses> {
  return Object.fromEntries(Object.entries(statuses).filter(([, list]) => list.length > 0))
}
