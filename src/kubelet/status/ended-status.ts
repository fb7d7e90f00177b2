/** The last word on a pod of which nothing runs any more. */
import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { PodPhase } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { isStaticPod } from '../static/pod-source.js'
import { lostContainer } from './container-status.js'
import type { ContainerStatuses } from './container-statuses.js'
import { isFinalPhase } from './phase.js'

/**
 * Containers that may have run, and of whose end nothing is known, are taken to have ended badly, so that nobody takes the pod for one
 * that did its work. Those that certainly never began go on waiting: ordinary ones behind init containers, and those behind the last
 * init container that began.
 */
export function terminatedContainers<Statuses extends Partial<ContainerStatuses>>(
  pod: Pod,
  statuses: Statuses,
): Statuses {
  const { initContainerStatuses = [], containerStatuses = [] } = statuses
  const begun = lastBegun(initContainerStatuses)
  return {
    ...statuses,
    ...(statuses.initContainerStatuses && {
      initContainerStatuses: initContainerStatuses.map((status, i) => (i <= begun ? ended(status) : status)),
    }),
    ...(hasInitialized(pod, initContainerStatuses, containerStatuses) &&
      statuses.containerStatuses && { containerStatuses: containerStatuses.map(ended) }),
  }
}

/** Static pods are never over: they come back with the node. */
export function terminatedPhase(pod: Pod, phase: PodPhase | undefined): PodPhase | undefined {
  return isStaticPod(pod) || isFinalPhase(phase) ? phase : 'Failed'
}

function ended(status: ContainerStatus): ContainerStatus {
  return status.state?.terminated ? status : { ...status, ready: false, state: { terminated: lostContainer } }
}

/** If none has, the first counts: somebody began with it. */
function lastBegun(statuses: readonly ContainerStatus[]): number {
  return Math.max(0, statuses.findLastIndex(hasBegun))
}

function hasBegun({ state, lastState }: ContainerStatus): boolean {
  return !state?.waiting || lastState?.terminated !== undefined
}

function hasInitialized(
  { spec }: Pod,
  initStatuses: readonly ContainerStatus[],
  statuses: readonly ContainerStatus[],
): boolean {
  if ((spec.initContainers ?? []).length === 0 || statuses.some(hasBegun)) return true
  const last = initStatuses.at(-1)
  return [last?.state, last?.lastState].some((state) => state?.terminated?.exitCode === 0)
}
