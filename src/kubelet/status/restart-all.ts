/** The restart rule `RestartAllContainers`: one exit restarts the whole pod in place. */

import { canRestartAllContainers } from '../../api/core/v1/container/restarts.js'
import type { ContainerStateTerminated } from '../../api/core/v1/container/status.js'
import type { Container } from '../../api/core/v1/container.js'
import type { PodPhase, PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { newest, type ObservedPod } from '../runtime/observed-pod.js'
import { triggersRestartAll } from '../sync/restart-policy.js'

/** Reason of containers that were removed for the restart of the whole pod. */
export const restartingAllReason = 'RestartingAllContainers'

export function wasRemovedForRestart({ reason }: ContainerStateTerminated): boolean {
  return reason === restartingAllReason
}

function all({ spec }: Pod): readonly Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers]
}

interface RestartAllInput {
  readonly pod: Pod
  readonly observed: ObservedPod
  readonly previous: PodStatus
}

/** Returns whether all containers are being restarted, or one has just exited in a way that triggers it. */
export function isRestartingAllContainers({ pod, observed, previous }: RestartAllInput): boolean {
  if (!canRestartAllContainers(pod.spec)) return false
  const known = previous.conditions?.find(({ type }) => type === 'AllContainersRestarting')
  return (
    known?.status === 'True' ||
    all(pod).some((container) => triggersRestartAll(container, newest(observed, container.name)))
  )
}

export function restartAllCondition(input: RestartAllInput, phase: PodPhase) {
  const { pod, observed } = input
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' } as const
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' } as const
  const isCleanedUp = all(pod).every(({ name }) => !newest(observed, name))
  if (!isRestartingAllContainers(input) || isCleanedUp) return { status: 'False' } as const
  return {
    status: 'True',
    reason: 'RestartAllContainersStarted',
    message: 'container exited with restart policy rule',
  } as const
}
