/** Merges the kubelet's status with what other writers stored. */
import { canRestartAllContainers, isRestartedAfter } from '../../api/core/v1/container/restarts.js'
import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { PodCondition, PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { isFinalPhase } from './phase.js'
import { endedPodCondition, isOwnCondition, isSharedCondition } from './pod-conditions.js'

/** Fields that only the kubelet writes: if its status lacks one, it is removed. All other fields belong to other writers. */
const ownFields = [
  'phase',
  'conditions',
  'message',
  'reason',
  'hostIP',
  'hostIPs',
  'podIP',
  'podIPs',
  'containerStatuses',
  'initContainerStatuses',
  'ephemeralContainerStatuses',
  'observedGeneration',
  'allocatedResources',
  'resources',
] as const satisfies readonly (keyof PodStatus)[]

/** `pod` is the stored object. Final phases and finally exited containers are never reverted. */
export function mergedStatus(pod: Pod, own: PodStatus): PodStatus {
  const server = pod.status ?? {}
  const merged = {
    ...without(server, ownFields),
    ...own,
    ...keptOf(server, ['startTime', 'qosClass']),
    ...keptContainers(pod, own),
    conditions: mergedConditions(server.conditions ?? [], own),
  }
  const final = isFinalPhase(server.phase) ? finalOf(server, server.phase, merged) : merged
  return isFinalPhase(final.phase) ? { ...final, conditions: final.conditions.map(unready(final.phase)) } : final
}

/** Keeps the final phase. If both agree on the phase, the kubelet's reason wins. */
function finalOf<Status extends PodStatus>(
  { reason, message }: PodStatus,
  phase: 'Succeeded' | 'Failed',
  merged: Status,
): Status {
  if (merged.phase === phase)
    return { ...merged, ...(reason && !merged.reason && { reason }), ...(message && !merged.message && { message }) }
  return {
    ...without(merged, ['reason', 'message']),
    phase,
    ...(reason && { reason }),
    ...(message && { message }),
  } as Status
}

function keptOf(server: PodStatus, fields: readonly ('startTime' | 'qosClass')[]): PodStatus {
  return Object.fromEntries(fields.filter((name) => server[name]).map((name) => [name, server[name]]))
}

function without<T extends object>(object: T, fields: readonly (keyof T)[]): T {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !fields.includes(name as keyof T))) as T
}

/** Keeps conditions of other writers. The kubelet writes DisruptionTarget only when the pod ends by it. */
function mergedConditions(server: readonly PodCondition[], { phase, conditions = [] }: PodStatus) {
  const disruption = isFinalPhase(phase) ? conditions.find(isSharedCondition) : undefined
  const foreign = server.filter((one) => !isOwnCondition(one) && !(disruption && isSharedCondition(one)))
  return [...foreign, ...(disruption ? [disruption] : []), ...conditions.filter(isOwnCondition)]
}

/** A finished pod is never ready. */
function unready(phase: 'Succeeded' | 'Failed') {
  return (condition: PodCondition): PodCondition => {
    const { type, status } = condition
    if (status !== 'True' || (type !== 'Ready' && type !== 'ContainersReady')) return condition
    const { message, ...rest } = condition
    return { ...rest, ...endedPodCondition(phase) }
  }
}

const statusLists = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'] as const
const containerLists = {
  initContainerStatuses: 'initContainers',
  containerStatuses: 'containers',
  ephemeralContainerStatuses: 'ephemeralContainers',
} as const

function keptContainers(pod: Pod, own: PodStatus): PodStatus {
  const kept = statusLists.flatMap((list) => {
    const ended = (pod.status?.[list] ?? []).filter((status) => hasEndedForGood(status, pod, list))
    const statuses = own[list]
    if (!statuses || ended.length === 0) return []
    const isBack = ({ state }: ContainerStatus) => !state?.terminated
    const before = (name: string) => ended.find((status) => status.name === name)
    return [[list, statuses.map((status) => (isBack(status) ? (before(status.name) ?? status) : status))]]
  })
  return Object.fromEntries(kept)
}

function hasEndedForGood({ name, state }: ContainerStatus, { spec }: Pod, list: (typeof statusLists)[number]): boolean {
  const end = state?.terminated
  const container = spec[containerLists[list]]?.find((one) => one.name === name)
  if (!end || !container) return false
  if (list === 'ephemeralContainerStatuses') return true
  return !canRestartAllContainers(spec) && !isRestartedAfter(container, spec, end.exitCode)
}
