import type { NodeCondition } from '../../api/core/v1/node/status.js'
import type { Pressures } from './pressure.js'

export interface ConditionsInput {
  /** `2006-01-02T15:04:05Z` */
  readonly now: string
  readonly pressures: Pressures
  /** What keeps the node from being ready. */
  readonly problems: readonly string[]
}

export interface NextConditions {
  readonly conditions: readonly NodeCondition[]
  /** Reasons of the events about changes. */
  readonly events: readonly string[]
}

/** Collects the events. */
interface ConditionContext extends ConditionsInput {
  readonly events: string[]
}

interface PressureConditionTexts {
  readonly pressure: keyof Pressures
  readonly type: string
  readonly under: ConditionTexts
  readonly free: ConditionTexts
}

interface ConditionTexts {
  readonly reason: string
  readonly message: string
  readonly event: string
}

const pressureConditions: readonly PressureConditionTexts[] = [
  {
    pressure: 'memory',
    type: 'MemoryPressure',
    under: conditionTexts(
      'KubeletHasInsufficientMemory',
      'kubelet has insufficient memory available',
      'NodeHasInsufficientMemory',
    ),
    free: conditionTexts(
      'KubeletHasSufficientMemory',
      'kubelet has sufficient memory available',
      'NodeHasSufficientMemory',
    ),
  },
  {
    pressure: 'disk',
    type: 'DiskPressure',
    under: conditionTexts('KubeletHasDiskPressure', 'kubelet has disk pressure', 'NodeHasDiskPressure'),
    free: conditionTexts('KubeletHasNoDiskPressure', 'kubelet has no disk pressure', 'NodeHasNoDiskPressure'),
  },
  {
    pressure: 'processes',
    type: 'PIDPressure',
    under: conditionTexts(
      'KubeletHasInsufficientPID',
      'kubelet has insufficient PID available',
      'NodeHasInsufficientPID',
    ),
    free: conditionTexts('KubeletHasSufficientPID', 'kubelet has sufficient PID available', 'NodeHasSufficientPID'),
  },
]

function conditionTexts(reason: string, message: string, event: string): ConditionTexts {
  return { reason, message, event }
}

/** Computes the kubelet's conditions of a Node, Ready last. Keeps conditions of other writers. */
export function nextConditions(before: readonly NodeCondition[], input: ConditionsInput): NextConditions {
  const events: string[] = []
  const pressures = pressureConditions.map((each) => pressureCondition(before, each, { ...input, events }))
  const own = [...pressures, readyCondition(before, { ...input, events })]
  const kept = before.map((condition) => own.find(({ type }) => type === condition.type) ?? condition)
  const added = own.filter(({ type }) => !before.some((condition) => condition.type === type))
  return { conditions: [...kept, ...added], events }
}

function pressureCondition(
  before: readonly NodeCondition[],
  { pressure, type, under, free }: PressureConditionTexts,
  { now, pressures, events }: ConditionContext,
): NodeCondition {
  const status = pressures[pressure] ? 'True' : 'False'
  const known = before.find((condition) => condition.type === type)
  if (known?.status === status) return { ...known, lastHeartbeatTime: now }
  const { reason, message, event } = pressures[pressure] ? under : free
  events.push(event)
  return { type, status, lastHeartbeatTime: now, lastTransitionTime: now, reason, message }
}

function readyCondition(before: readonly NodeCondition[], { now, problems, events }: ConditionContext): NodeCondition {
  const known = before.find(({ type }) => type === 'Ready')
  const status = problems.length === 0 ? 'True' : 'False'
  if (known?.status !== status && (known || status === 'True'))
    events.push(status === 'True' ? 'NodeReady' : 'NodeNotReady')
  const lastTransitionTime = known?.status === status ? (known.lastTransitionTime ?? now) : now
  const details =
    status === 'True'
      ? { reason: 'KubeletReady', message: 'kubelet is posting ready status' }
      : { reason: 'KubeletNotReady', message: aggregated(problems) }
  return { type: 'Ready', status, lastHeartbeatTime: now, lastTransitionTime, ...details }
}

/** Joins distinct problems, in brackets if there are several. */
function aggregated(problems: readonly string[]): string {
  const [first, ...more] = new Set(problems)
  return more.length === 0 ? (first ?? '') : `[${[first, ...more].join(', ')}]`
}
