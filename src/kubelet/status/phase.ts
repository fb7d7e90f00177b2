import { isRestartedAfter } from '../../api/core/v1/container/restarts.js'
import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { Container } from '../../api/core/v1/container.js'
import { isSidecar } from '../../api/core/v1/pod/resources.js'
import type { PodPhase } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { isStaticPod } from '../static/pod-source.js'
import { wasRemovedForRestart } from './restart-all.js'

export type StatusOf = (name: string) => ContainerStatus | undefined

export interface PhaseInput {
  /** No container will restart, whatever its policy. */
  readonly isTerminated: boolean
  /** A main container was created in the present sandbox. Restarting sidecars do not make such a pod pending again. */
  readonly hasInitialized: boolean
}

export function isFinalPhase(phase: PodPhase | undefined): phase is 'Succeeded' | 'Failed' {
  return phase === 'Succeeded' || phase === 'Failed'
}

/** Computes the phase of a pod from the statuses of its containers. */
export function phaseOf(pod: Pod, statusOf: StatusOf, context: PhaseInput): PodPhase {
  const init = pod.spec.initContainers ?? []
  const setUp = init.filter((container) => !isSidecar(container)).map((one) => setUpState(one, pod, statusOf(one.name)))
  if (setUp.includes('failed')) return 'Failed'
  const sidecars = init.filter(isSidecar).map(({ name }) => sidecarState(statusOf(name)))
  if (setUp.includes('pending') || (!context.hasInitialized && sidecars.some(isYetToStart))) return 'Pending'
  return phaseOfRunning(pod, sidecars, { ...context, statusOf })
}

function phaseOfRunning(
  pod: Pod,
  sidecars: readonly SidecarState[],
  { isTerminated, statusOf }: PhaseInput & { readonly statusOf: StatusOf },
): PodPhase {
  const states = pod.spec.containers.map((container) => mainState(container, pod, statusOf(container.name)))
  const all = [...sidecars, ...states]
  if (all.includes('waiting')) return 'Pending'
  if (all.includes('unknown')) return 'Pending'
  if (all.includes('running') || all.includes('starting')) return 'Running'
  if (states.length === 0) return 'Pending'
  const isOver = isTerminated && !isStaticPod(pod)
  if (!isOver && states.includes('restarted')) return 'Running'
  return states.every((_, i) => hasSucceeded(statusOf(pod.spec.containers[i]!.name))) ? 'Succeeded' : 'Failed'
}

/** State of an init container that must complete before the next one starts. */
function setUpState(container: Container, { spec }: Pod, status: ContainerStatus | undefined) {
  const end = endOf(status)
  if (!end) return 'pending'
  if (end.exitCode === 0) return 'done'
  return isRestartedAfter(container, spec, end.exitCode) || wasRemovedForRestart(end) ? 'again' : 'failed'
}

type SidecarState = 'running' | 'starting' | 'waiting' | 'unknown' | 'ended'

/** An exited sidecar does not affect the phase. */
function sidecarState(status: ContainerStatus | undefined): SidecarState {
  const { running, terminated, waiting } = status?.state ?? {}
  if (running) return status?.started ? 'running' : 'starting'
  if (terminated || (waiting && status?.lastState?.terminated)) return 'ended'
  return waiting ? 'waiting' : 'unknown'
}

/** A sidecar without any status does not count here: it is `unknown`. */
function isYetToStart(state: SidecarState): boolean {
  return state === 'starting' || state === 'waiting'
}

function mainState(container: Container, { spec }: Pod, status: ContainerStatus | undefined) {
  if (status?.state?.running) return 'running'
  const end = endOf(status)
  if (end) return isRestartedAfter(container, spec, end.exitCode) || wasRemovedForRestart(end) ? 'restarted' : 'stopped'
  return status?.state?.waiting ? 'waiting' : 'unknown'
}

/** Returns the exit of a container that is not running, or the last exit of one that waits for a restart. */
function endOf(status: ContainerStatus | undefined) {
  return status?.state?.terminated ?? (status?.state?.waiting ? status.lastState?.terminated : undefined)
}

/** A container that waits for a restart has not succeeded. */
function hasSucceeded(status: ContainerStatus | undefined): boolean {
  return status?.state?.terminated?.exitCode === 0
}
