/** The final status of a pod of which nothing runs. */
import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { PodPhase } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { isStaticPod } from '../static/pod-source.js'
import { lostContainer } from './container-status.js'
import type { ContainerStatuses } from './container-statuses.js'
import { isFinalPhase } from './phase.js'

/**
 * Marks containers as failed if they may have run and their exit is unknown, so that the pod does not count as succeeded. Containers that
 * certainly never started keep waiting: main containers before initialization, and init containers after the last one that started.
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

/** Static pods never end: they return with the node. */
export function terminatedPhase(pod: Pod, phase: PodPhase | undefined): PodPhase | undefined {
  return isStaticPod(pod) || isFinalPhase(phase) ? phase : 'Failed'
}

function ended(status: ContainerStatus): ContainerStatus {
  return status.state?.terminated ? status : { ...status, ready: false, state: { terminated: lostContainer } }
}

/** Returns the index of the last container that started, or 0. */
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
