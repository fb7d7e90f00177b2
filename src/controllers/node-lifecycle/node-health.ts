import type { Lease } from '../../api/coordination/v1/lease.js'
import type { NodeCondition } from '../../api/core/v1/node/status.js'
import type { Node } from '../../api/core/v1/node.js'
import { isSame } from '../../api/validation/immutability.js'
import { formatTime, parseMicroTime, parseTime } from '../../schema/values/time.js'
import { nodeCondition, readyConditionOf } from '../nodes/conditions.js'

/** What is remembered of a node between two checks. */
export interface NodeHealth {
  /** When its last heartbeat was seen, by our monotonic clock: the clocks of nodes may be wrong. */
  readonly aliveAt: number
  /** The condition Ready at the last check. */
  readonly ready: NodeCondition | undefined
  /** When its lease was last renewed. */
  readonly renewTime: string | undefined
}

export interface HealthCheck {
  readonly health: NodeHealth
  /** The status of the condition Ready before the check. */
  readonly observed: NodeCondition['status']
  /** The same after the check; undefined if the node has no such condition yet. */
  readonly current: NodeCondition['status'] | undefined
  /** The conditions to write, because the node has sent no heartbeat for too long. */
  readonly conditions?: readonly NodeCondition[]
}

/** How long a node may be without heartbeat, in milliseconds. */
export interface GracePeriods {
  readonly grace: number
  /** The same for a node that has not posted its status yet. */
  readonly startupGrace: number
}

export interface HealthCheckInput extends GracePeriods {
  readonly lease: Lease | undefined
  readonly known: NodeHealth | undefined
  /** In milliseconds since the epoch. */
  readonly now: number
  /** By the monotonic clock, in milliseconds. */
  readonly uptime: number
}

/** Checks whether a node has sent a heartbeat in time: by its status, or by its lease. */
export function checkHealth(node: Node, input: HealthCheckInput): HealthCheck {
  const { lease, known, now, uptime, grace, startupGrace } = input
  const ready = readyConditionOf(node)
  const isRenewed = lease !== undefined && isLater(lease.spec.renewTime, known?.renewTime)
  const aliveAt = isRenewed ? uptime : lastHeartbeat(node, input)
  const renewTime = isRenewed ? lease.spec.renewTime : known?.renewTime
  const observed = ready?.status ?? 'Unknown'
  const health: NodeHealth = { aliveAt, ready, renewTime }
  if (uptime <= aliveAt + (ready ? grace : startupGrace)) return { health, observed, current: ready?.status }
  const conditions = unknownConditions(node, formatTime(now))
  const after = conditions.find(({ type }) => type === 'Ready')!
  if (isSame(after, ready)) return { health, observed, current: after.status }
  return { health: { ...health, ready: after }, observed, current: after.status, conditions }
}

/** A lease that is first seen counts as renewed. */
function isLater(renewTime: string | undefined, before: string | undefined): boolean {
  if (before === undefined) return true
  return renewTime !== undefined && parseMicroTime(renewTime) > parseMicroTime(before)
}

/** By its status: only a changed heartbeat time counts, no other change of the condition. */
function lastHeartbeat(node: Node, { known, now, uptime }: HealthCheckInput): number {
  const ready = readyConditionOf(node)
  if (!ready) return known?.aliveAt ?? uptime - (now - parseTime(node.metadata.creationTimestamp!))
  if (!known?.ready) return uptime
  return known.ready.lastHeartbeatTime === ready.lastHeartbeatTime ? known.aliveAt : uptime
}

/** The conditions that the kubelet maintains. NetworkUnavailable belongs to others. */
const kubeletConditions = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'] as const

function unknownConditions(node: Node, now: string): readonly NodeCondition[] {
  const existing = (node.status.conditions ?? []).map((condition) => {
    const isMaintained = (kubeletConditions as readonly string[]).includes(condition.type)
    return isMaintained && condition.status !== 'Unknown' ? unknown(condition, now) : condition
  })
  const missing = kubeletConditions.filter((type) => !nodeCondition(node, type))
  return [
    ...existing,
    ...missing.map(
      (type): NodeCondition => ({
        type,
        status: 'Unknown',
        lastHeartbeatTime: node.metadata.creationTimestamp!,
        lastTransitionTime: now,
        reason: 'NodeStatusNeverUpdated',
        message: 'Kubelet never posted node status.',
      }),
    ),
  ]
}

function unknown(condition: NodeCondition, now: string): NodeCondition {
  return {
    ...condition,
    status: 'Unknown',
    lastTransitionTime: now,
    reason: 'NodeStatusUnknown',
    message: 'Kubelet stopped posting node status.',
  }
}
