import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import { qosClassOf } from '../../api/core/v1/pod/qos.js'
import type { PodPhase, PodStatus } from '../../api/core/v1/pod/status.js'
import { formatTime } from '../../schema/values/time.js'
import { addressesOf } from './addresses.js'
import { podConditions } from './conditions.js'
import { type ContainerStatuses, containerStatuses } from './container-statuses.js'
import { endedContainers, endedPhase } from './ended-status.js'
import { isFinal, phaseOf } from './phase.js'
import { podLevelResources } from './pod-level-resources.js'
import { hasInitialized } from './sandbox-use.js'
import type { Situation, Verdict } from './situation.js'

/** What is told of a pod, whole. It goes on from what was told before: what is over stays over. */
export function podStatus(situation: Situation): PodStatus {
  const { pod, verdict, isTerminated, obstacle } = situation
  if (verdict?.isRefusal) return refusedStatus(situation, verdict)
  if (wasRefused(situation)) return situation.previous
  const found = containerStatuses(situation)
  const statuses = isTerminated ? endedContainers(pod, found) : obstacle ? blocked(found) : found
  const all = [...statuses.initContainerStatuses, ...statuses.containerStatuses]
  const told = toldPhase(situation, all)
  return {
    ...common(situation),
    ...(isWithheld(situation, told) ? previousPhase(situation) : told),
    conditions: podConditions(situation, { phase: told.phase, statuses: all }),
    ...addressesOf(situation),
    ...withoutEmpty(statuses),
    ...podLevelResources(pod, told.phase),
  }
}

/** For what containers wait in a pod that something keeps from running. */
const blockedReason = 'Blocked'

type ToldPhase = Pick<PodStatus, 'reason' | 'message'> & { readonly phase: PodPhase }

/** What ended the pod as a whole decides; then what its containers are. Out of a final phase there is no way. */
function toldPhase(situation: Situation, all: readonly ContainerStatus[]): ToldPhase {
  const { pod, previous, verdict, obstacle } = situation
  const before = [previous, pod.status].find((status) => isFinal(status?.phase))
  if (before) return { ...reasonIn(before), phase: before.phase! }
  if (verdict) return { phase: verdict.phase, reason: verdict.reason, message: verdict.message }
  const phase = phaseNow(situation, all)
  if (obstacle && !isFinal(phase)) return { ...obstacle, phase: 'Pending' }
  return phase === previous.phase && !wasBlocked(previous) ? { ...reasonIn(previous), phase } : { phase }
}

function wasBlocked({ initContainerStatuses = [], containerStatuses = [] }: PodStatus): boolean {
  return [...initContainerStatuses, ...containerStatuses].some(({ state }) => state?.waiting?.reason === blockedReason)
}

function phaseNow(situation: Situation, all: readonly ContainerStatus[]): PodPhase {
  const { pod, isTerminated } = situation
  const statusOf = (name: string) => all.find((status) => status.name === name)
  const phase = phaseOf(pod, statusOf, { isTerminated, hasInitialized: hasInitialized(situation) })
  return isTerminated ? (endedPhase(pod, phase) ?? phase) : phase
}

function reasonIn({ reason, message }: PodStatus): Pick<PodStatus, 'reason' | 'message'> {
  return { ...(reason && { reason }), ...(message && { message }) }
}

/** Nobody is told that a pod is over while something of it still runs: what it used is not free yet. */
function isWithheld({ pod, observed, isTerminated, previous }: Situation, { phase }: ToldPhase): boolean {
  const isKnown = isFinal(previous.phase) || isFinal(pod.status?.phase)
  if (isTerminated || isKnown || !isFinal(phase)) return false
  return observed.containers.some(({ state }) => state === 'running' || state === 'unknown')
}

function previousPhase({ previous }: Situation): ToldPhase {
  return { ...reasonIn(previous), phase: previous.phase ?? 'Pending' }
}

function common({ pod, previous, now }: Situation): PodStatus {
  const { generation } = pod.metadata
  return {
    ...(generation && { observedGeneration: generation }),
    startTime: previous.startTime ?? formatTime(now),
    qosClass: qosClassOf(pod.spec),
  }
}

/** Of a pod that was never let in there is nothing else to tell. */
function refusedStatus(situation: Situation, { phase, reason, message }: Verdict): PodStatus {
  return { ...common(situation), phase, reason, message: `Pod was rejected: ${message}` }
}

/** In an earlier life of the kubelet: what was told then is all that there is to tell. */
function wasRefused({ observed, previous }: Situation): boolean {
  const isUnknown = observed.sandboxes.length === 0 && observed.containers.length === 0
  return isUnknown && isFinal(previous.phase) && !previous.containerStatuses?.length
}

/** What waits, waits for something else than to be started. */
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
