import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { ObservedPod } from '../runtime/observed-pod.js'
import type { PodState } from './pod-state.js'
import { withRememberedMessages } from './remembered-messages.js'
import type { SyncParts } from './sync-parts.js'

export interface StatusMoment {
  readonly isTerminating?: boolean
  readonly isTerminated?: boolean
}

type StatusParts = Pick<
  SyncParts,
  'environment' | 'identity' | 'prober' | 'status' | 'statusOf' | 'obstacle' | 'runtimeName'
>

/** Makes the status that follows from what was seen, remembers it, and has it brought to the API server. */
export function tellStatus(
  { environment, identity, prober, status, statusOf, obstacle, runtimeName }: StatusParts,
  state: PodState,
  observed: ObservedPod,
  { isTerminating = false, isTerminated = false }: StatusMoment = {},
): PodStatus {
  const { pod, waiting, verdict } = state
  state.status = statusOf({
    pod,
    observed: withRememberedMessages(observed, state.status),
    previous: state.status,
    waiting,
    probes: prober,
    verdict,
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
