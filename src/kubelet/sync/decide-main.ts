import { type PodContainer, podContainers } from '../pods/pod-containers.js'
import { specificationHash } from '../runtime/labels.js'
import { newest, type ObservedContainer } from '../runtime/observed-pod.js'
import type { Kill, KillReason, PodObservation } from './pod-actions.js'
import { isRestartedWhenUnhealthy, shouldStart } from './restart-policy.js'

export interface MainDecision {
  /** Number of containers that run and keep running. */
  readonly keeps: number
  readonly kills: readonly Kill[]
  readonly starts: readonly PodContainer[]
}

export function decideMainContainers(observation: PodObservation): MainDecision {
  const kills: Kill[] = []
  const starts: PodContainer[] = []
  let keeps = 0
  for (const one of podContainers(observation.pod).filter(({ type }) => type === 'container')) {
    const { keep, kill, start } = decideOne(observation, one, newest(observation.observed, one.container.name))
    if (keep) keeps++
    if (kill) kills.push(kill)
    if (start) starts.push(one)
  }
  return { keeps, kills, starts }
}

interface ContainerDecision {
  readonly keep?: boolean
  readonly kill?: Kill
  readonly start?: boolean
}

function decideOne(
  observation: PodObservation,
  one: PodContainer,
  last: ObservedContainer | undefined,
): ContainerDecision {
  const { pod } = observation
  if (last?.state === 'running') return decideRunning(observation, one, last)
  if (!shouldStart(pod, one.container, last)) return {}
  if (last?.state !== 'unknown') return { start: true }
  // It may be running, and there must not be two of it.
  const message = 'Container is in "unknown" state, try killing it before restart'
  return { start: true, kill: { target: last, container: one, message, reason: 'Other' } }
}

function decideRunning(observation: PodObservation, one: PodContainer, target: ObservedContainer): ContainerDecision {
  const { container } = one
  const complaint = restartCause(observation, one, target)
  if (!complaint) return { keep: true }
  const { text, reason } = complaint
  const start = complaint.alwaysRestarts || isRestartedWhenUnhealthy(observation.pod, container)
  const message = `Container ${container.name} ${text}${start ? ', will be restarted' : ''}`
  return { start, kill: { target, container: one, message, reason } }
}

interface RestartCause {
  readonly text: string
  readonly reason: KillReason
  readonly alwaysRestarts: boolean
}

function restartCause(
  { probes }: PodObservation,
  { container }: PodContainer,
  target: ObservedContainer,
): RestartCause | undefined {
  if (target.specificationHash !== specificationHash(container))
    return { text: 'definition changed', reason: 'Other', alwaysRestarts: true }
  if (container.livenessProbe && probes.liveness(target.id) === false)
    return { text: 'failed liveness probe', reason: 'LivenessProbe', alwaysRestarts: false }
  if (container.startupProbe && probes.startup(target.id) === false)
    return { text: 'failed startup probe', reason: 'StartupProbe', alwaysRestarts: false }
  return undefined
}
