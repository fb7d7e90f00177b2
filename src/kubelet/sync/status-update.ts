import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { ObservedContainer, ObservedPod } from '../runtime/observed-pod.js'
import type { PodState } from './pod-state.js'
import type { SyncDependencies } from './sync-dependencies.js'

export interface TerminationProgress {
  readonly isTerminating?: boolean
  readonly isTerminated?: boolean
}

type StatusUpdateDependencies = Pick<
  SyncDependencies,
  'environment' | 'identity' | 'prober' | 'status' | 'podStatus' | 'obstacle' | 'runtimeName'
>

/** Computes the status from an observation, stores it in the state, and passes it to the status manager. */
export function updateStatus(
  { environment, identity, prober, status, podStatus: statusOf, obstacle, runtimeName }: StatusUpdateDependencies,
  state: PodState,
  observed: ObservedPod,
  { isTerminating = false, isTerminated = false }: TerminationProgress = {},
): PodStatus {
  const { pod, waiting, failure } = state
  state.status = statusOf({
    pod,
    observed: withRememberedMessages(observed, state.status),
    previous: state.status,
    waiting,
    probes: prober,
    failure,
    obstacle: isTerminating || isTerminated ? undefined : obstacle(pod),
    isTerminating,
    isTerminated,
    hostAddresses: identity.hostAddresses,
    runtimeName: runtimeName(),
    now: environment.clock.now(),
  })
  status.set(pod, state.status)
  return state.status
}

/** Adds termination messages from the last status: their files are removed with the pod's volumes. */
function withRememberedMessages(observed: ObservedPod, status: PodStatus): ObservedPod {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status
  const all = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses]
  const remembered = (container: ObservedContainer) => {
    const message = container.state === 'exited' && container.message === '' ? messageOf(container.id, all) : undefined
    return message === undefined ? container : { ...container, message }
  }
  return { ...observed, containers: observed.containers.map(remembered) }
}

function messageOf(id: string, statuses: readonly ContainerStatus[]): string | undefined {
  const ends = statuses.flatMap(({ state, lastState }) => [state?.terminated, lastState?.terminated])
  return ends.find((end) => end?.containerID?.endsWith(`//${id}`))?.message
}
