/** Containers whose end starts the whole pod again, in place: the rule `RestartAllContainers`. */

import { canRestartAllContainers, matchingRestartRule } from '../../api/core/v1/container/restarts.js'
import type { ContainerStateTerminated } from '../../api/core/v1/container/status.js'
import type { Container } from '../../api/core/v1/container.js'
import type { PodPhase, PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { newest, type ObservedPod } from '../runtime/observed-pod.js'

/** Why a container was taken away though its own policy says nothing of that. */
export const restartingAll = 'RestartingAllContainers'

export function isRestartingAll({ reason }: ContainerStateTerminated): boolean {
  return reason === restartingAll
}

function all({ spec }: Pod): readonly Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers]
}

interface Looked {
  readonly pod: Pod
  readonly observed: ObservedPod
  readonly previous: PodStatus
}

/** Whether that is under way: it was begun, or a container has just ended in the way that begins it. */
export function restartsAll({ pod, observed, previous }: Looked): boolean {
  if (!canRestartAllContainers(pod.spec)) return false
  const known = previous.conditions?.find(({ type }) => type === 'AllContainersRestarting')
  return known?.status === 'True' || all(pod).some((container) => hasBegunIt(container, observed))
}

function hasBegunIt(container: Container, observed: ObservedPod): boolean {
  const last = newest(observed, container.name)
  return last?.state === 'exited' && matchingRestartRule(container, last.exitCode)?.action === 'RestartAllContainers'
}

/** The condition, but for what all conditions have. */
export function restartAllCondition(looked: Looked, phase: PodPhase) {
  const { pod, observed } = looked
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' } as const
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' } as const
  const isCleanedUp = all(pod).every(({ name }) => !newest(observed, name))
  if (!restartsAll(looked) || isCleanedUp) return { status: 'False' } as const
  return {
    status: 'True',
    reason: 'RestartAllContainersStarted',
    message: 'container exited with restart policy rule',
  } as const
}
