import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { ObservedContainer, ObservedPod } from '../runtime/observed-pod.js'

/** With the termination messages that were told before: the files that they stood in go with the pod's volumes. */
export function withRememberedMessages(observed: ObservedPod, status: PodStatus): ObservedPod {
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
