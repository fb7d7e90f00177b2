/** Computes the kubelet's conditions of a pod. Keeps conditions of other writers. */
import { canRestartAllContainers } from '../../api/core/v1/container/restarts.js'
import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { Container } from '../../api/core/v1/container.js'
import { isSidecar } from '../../api/core/v1/pod/resources.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { PodCondition, PodPhase } from '../../api/core/v1/pod/status.js'
import { quote } from '../../schema/quote.js'
import { formatTime } from '../../schema/values/time.js'
import type { PodStatusInput } from './pod-status-input.js'
import { restartAllCondition } from './restart-all.js'
import { hasUsableSandbox } from './sandbox-use.js'

const ownTypes: ReadonlySet<string> = new Set([
  'PodScheduled',
  'Ready',
  'Initialized',
  'ContainersReady',
  'PodResizePending',
  'PodResizeInProgress',
  'PodReadyToStartContainers',
  'AllContainersRestarting',
])

/** Returns whether only the kubelet writes this condition. */
export function isOwnCondition({ type }: PodCondition): boolean {
  return ownTypes.has(type)
}

/** Returns whether both the kubelet and other components write this condition. */
export function isSharedCondition({ type }: PodCondition): boolean {
  return type === 'DisruptionTarget'
}

export function podConditions(
  input: PodStatusInput,
  { phase, statuses }: { readonly phase: PodPhase; readonly statuses: readonly ContainerStatus[] },
): readonly PodCondition[] {
  const { pod, previous } = input
  const foreign = withDisruption(
    (pod.status?.conditions ?? []).filter((one) => !isOwnCondition(one)),
    previous,
  )
  const about = { spec: pod.spec, statuses, phase }
  const containersReady = containersReadyCondition(about)
  const findings: readonly (readonly [PodCondition['type'], ConditionDetails])[] = [
    ['PodReadyToStartContainers', { status: hasUsableSandbox(input) ? 'True' : 'False' }],
    ['Initialized', initializedCondition(about)],
    ['Ready', podReadyCondition(about, containersReady, foreign)],
    ['ContainersReady', containersReady],
    ['PodScheduled', { status: 'True' }],
    ...(canRestartAllContainers(pod.spec)
      ? [['AllContainersRestarting', restartAllCondition(input, phase)] as const]
      : []),
  ]
  return [...foreign, ...findings.map(([type, finding]) => condition(type, finding, input))]
}

function withDisruption(
  foreign: readonly PodCondition[],
  { conditions = [] }: PodStatusInput['previous'],
): readonly PodCondition[] {
  const disruption = conditions.find(isSharedCondition)
  return disruption ? [...foreign.filter((one) => !isSharedCondition(one)), disruption] : foreign
}

/** Keeps the transition time while the status stays the same. */
function condition(
  type: PodCondition['type'],
  finding: ConditionDetails,
  { pod, previous, now }: PodStatusInput,
): PodCondition {
  const known = previous.conditions?.find((one) => one.type === type)
  const since = known?.status === finding.status ? known.lastTransitionTime : undefined
  const { generation } = pod.metadata
  return {
    type,
    ...finding,
    lastTransitionTime: since ?? formatTime(now),
    ...(generation && { observedGeneration: generation }),
  }
}

/** The part of a condition that its type determines. */
export type ConditionDetails = Pick<PodCondition, 'status' | 'reason' | 'message'>

export interface ConditionInput {
  readonly spec: PodSpec
  /** Of init and main containers. */
  readonly statuses: readonly ContainerStatus[]
  readonly phase: PodPhase
}

/** Checks that all sidecars and main containers are ready. */
function containersReadyCondition({ spec, statuses, phase }: ConditionInput): ConditionDetails {
  const lasting = [...(spec.initContainers ?? []).filter(isSidecar), ...spec.containers]
  const unknown = lasting.filter(({ name }) => !statuses.some((status) => status.name === name))
  if ((phase === 'Succeeded' && unknown.length === 0) || phase === 'Failed') return endedPodCondition(phase)
  const unready = lasting.filter(({ name }) => statuses.some((status) => status.name === name && !status.ready))
  const message = [listed('unknown', unknown), listed('unready', unready)].filter(Boolean).join(', ')
  return message ? { status: 'False', reason: 'ContainersNotReady', message } : { status: 'True' }
}

/** The condition of a finished pod, which is never ready. */
export function endedPodCondition(phase: 'Succeeded' | 'Failed'): ConditionDetails {
  return { status: 'False', reason: phase === 'Failed' ? 'PodFailed' : 'PodCompleted' }
}

/** A pod is ready when its containers and all its readiness gates are. */
function podReadyCondition(
  { spec }: ConditionInput,
  containersReady: ConditionDetails,
  conditions: readonly PodCondition[],
): ConditionDetails {
  if (containersReady.status !== 'True') return containersReady
  const closed = (spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const known = conditions.find(({ type }) => type === conditionType)
    if (!known) return [`corresponding condition of pod readiness gate ${quote(conditionType)} does not exist.`]
    if (known.status === 'True') return []
    return [`the status of pod readiness gate ${quote(conditionType)} is not "True", but ${known.status}`]
  })
  if (closed.length === 0) return { status: 'True' }
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: closed.join(', ') }
}

/** Returns `containers with unready status: [a b]`, or '' for an empty list. */
export function listed(how: string, containers: readonly { readonly name: string }[]): string {
  return containers.length === 0
    ? ''
    : `containers with ${how} status: [${containers.map(({ name }) => name).join(' ')}]`
}

/**
 * Checks that all init containers have completed and all sidecars started. Stays true once a main container has started, even if a sidecar
 * restarts.
 */
function initializedCondition({ spec, statuses, phase }: ConditionInput): ConditionDetails {
  const { initContainers = [], containers } = spec
  const statusOf = ({ name }: Container) => statuses.find((status) => status.name === name)
  const unknown = initContainers.filter((container) => !statusOf(container))
  if (phase === 'Succeeded' && unknown.length === 0) return { status: 'True', reason: 'PodCompleted' }
  if (containers.some((container) => hasBegun(statusOf(container)))) return { status: 'True' }
  const incomplete = initContainers.filter((container) => isIncomplete(container, statusOf(container)))
  const message = [listed('unknown', unknown), listed('incomplete', incomplete)].filter(Boolean).join(', ')
  return message ? { status: 'False', reason: 'ContainersNotInitialized', message } : { status: 'True' }
}

function hasBegun(status: ContainerStatus | undefined): boolean {
  return status?.state?.running !== undefined || status?.state?.terminated !== undefined
}

function isIncomplete(container: Container, status: ContainerStatus | undefined): boolean {
  if (!status) return false
  return isSidecar(container) ? !status.started : !status.ready
}
