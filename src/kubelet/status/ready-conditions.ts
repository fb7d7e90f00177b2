import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import { isSidecar } from '../../api/core/v1/pod/resources.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { PodCondition, PodPhase } from '../../api/core/v1/pod/status.js'
import { quote } from '../../schema/quote.js'

/** A condition but for what all of them have. */
export type Finding = Pick<PodCondition, 'status' | 'reason' | 'message'>

export interface About {
  readonly spec: PodSpec
  /** Of init containers and ordinary ones. */
  readonly statuses: readonly ContainerStatus[]
  readonly phase: PodPhase
}

/** All that go on running are ready: sidecars and ordinary containers. */
export function containersReadyCondition({ spec, statuses, phase }: About): Finding {
  const lasting = [...(spec.initContainers ?? []).filter(isSidecar), ...spec.containers]
  const unknown = lasting.filter(({ name }) => !statuses.some((status) => status.name === name))
  if ((phase === 'Succeeded' && unknown.length === 0) || phase === 'Failed') return endedFinding(phase)
  const unready = lasting.filter(({ name }) => statuses.some((status) => status.name === name && !status.ready))
  const message = [listed('unknown', unknown), listed('unready', unready)].filter(Boolean).join(', ')
  return message ? { status: 'False', reason: 'ContainersNotReady', message } : { status: 'True' }
}

/** What has ended is not ready, whatever is still to be heard of its containers. */
export function endedFinding(phase: 'Succeeded' | 'Failed'): Finding {
  return { status: 'False', reason: phase === 'Failed' ? 'PodFailed' : 'PodCompleted' }
}

/** The pod is ready when its containers are, and everybody whom it asks says so. */
export function readyCondition(
  { spec }: About,
  containersReady: Finding,
  conditions: readonly PodCondition[],
): Finding {
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
