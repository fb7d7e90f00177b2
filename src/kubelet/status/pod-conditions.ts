/** A pod's conditions: those of the kubelet made anew, those of others kept. */
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

/** Whether the kubelet alone says how it is about that. */
export function isOwnCondition({ type }: PodCondition): boolean {
  return ownTypes.has(type)
}

/** Others tell of a disruption, and so does the kubelet when it evicts a pod. */
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

/** Since when it is so stays, as long as it is so. */
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

/** A condition but for what all of them have. */
export type ConditionDetails = Pick<PodCondition, 'status' | 'reason' | 'message'>

export interface ConditionInput {
  readonly spec: PodSpec
  /** Of init containers and ordinary ones. */
  readonly statuses: readonly ContainerStatus[]
  readonly phase: PodPhase
}

/** All that go on running are ready: sidecars and ordinary containers. */
function containersReadyCondition({ spec, statuses, phase }: ConditionInput): ConditionDetails {
  const lasting = [...(spec.initContainers ?? []).filter(isSidecar), ...spec.containers]
  const unknown = lasting.filter(({ name }) => !statuses.some((status) => status.name === name))
  if ((phase === 'Succeeded' && unknown.length === 0) || phase === 'Failed') return endedPodCondition(phase)
  const unready = lasting.filter(({ name }) => statuses.some((status) => status.name === name && !status.ready))
  const message = [listed('unknown', unknown), listed('unready', unready)].filter(Boolean).join(', ')
  return message ? { status: 'False', reason: 'ContainersNotReady', message } : { status: 'True' }
}

/** What has ended is not ready, whatever is still to be heard of its containers. */
export function endedPodCondition(phase: 'Succeeded' | 'Failed'): ConditionDetails {
  return { status: 'False', reason: phase === 'Failed' ? 'PodFailed' : 'PodCompleted' }
}

/** The pod is ready when its containers are, and everybody whom it asks says so. */
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

/** `containers with unready status: [a b]`; nothing of none. */
export function listed(how: string, containers: readonly { readonly name: string }[]): string {
  return containers.length === 0
    ? ''
    : `containers with ${how} status: [${containers.map(({ name }) => name).join(' ')}]`
}

/** All init containers have done what the others wait for. Once one of those has started, it stays so, though a sidecar starts again. */
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
