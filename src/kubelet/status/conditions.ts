/** A pod's conditions: those of the kubelet made anew, those of others kept. */
import { canRestartAllContainers } from '../../api/core/v1/container/restarts.js'
import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { PodCondition, PodPhase } from '../../api/core/v1/pod/status.js'
import { formatTime } from '../../schema/values/time.js'
import { initializedCondition } from './initialized-condition.js'
import { containersReadyCondition, type Finding, readyCondition } from './ready-conditions.js'
import { restartAllCondition } from './restart-all.js'
import { hasUsableSandbox } from './sandbox-use.js'
import type { Situation } from './situation.js'

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
  situation: Situation,
  { phase, statuses }: { readonly phase: PodPhase; readonly statuses: readonly ContainerStatus[] },
): readonly PodCondition[] {
  const { pod, previous } = situation
  const foreign = withDisruption(
    (pod.status?.conditions ?? []).filter((one) => !isOwnCondition(one)),
    previous,
  )
  const about = { spec: pod.spec, statuses, phase }
  const containersReady = containersReadyCondition(about)
  const findings: readonly (readonly [PodCondition['type'], Finding])[] = [
    ['PodReadyToStartContainers', { status: hasUsableSandbox(situation) ? 'True' : 'False' }],
    ['Initialized', initializedCondition(about)],
    ['Ready', readyCondition(about, containersReady, foreign)],
    ['ContainersReady', containersReady],
    ['PodScheduled', { status: 'True' }],
    ...(canRestartAllContainers(pod.spec)
      ? [['AllContainersRestarting', restartAllCondition(situation, phase)] as const]
      : []),
  ]
  return [...foreign, ...findings.map(([type, finding]) => condition(type, finding, situation))]
}

function withDisruption(
  foreign: readonly PodCondition[],
  { conditions = [] }: Situation['previous'],
): readonly PodCondition[] {
  const disruption = conditions.find(isSharedCondition)
  return disruption ? [...foreign.filter((one) => !isSharedCondition(one)), disruption] : foreign
}

/** Since when it is so stays, as long as it is so. */
function condition(type: PodCondition['type'], finding: Finding, { pod, previous, now }: Situation): PodCondition {
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
