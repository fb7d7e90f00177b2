import type { Lease } from '../../api/coordination/v1/lease.js'
import type { NodeCondition } from '../../api/core/v1/node/status.js'
import type { Node } from '../../api/core/v1/node.js'
import { isSame } from '../../api/validation/immutability.js'
import { formatTime, parseMicroTime, parseTime } from '../../schema/values/time.js'
import { nodeCondition, readyConditionOf } from '../nodes/conditions.js'

/** What is remembered of a node between two looks. */
export interface NodeHealth {
  /** When it last gave a sign of life, by the monotonic clock: clocks of nodes go as they like. */
  readonly aliveAt: number
  /** What it said when it was last looked at. */
  readonly ready: NodeCondition | undefined
  /** When its lease was last renewed. */
  readonly renewTime: string | undefined
}

export interface HealthCheck {
  readonly health: NodeHealth
  /** What the node said of itself when it was looked at. */
  readonly observed: NodeCondition['status']
  /** What is known of it now; undefined if nobody ever said anything. */
  readonly current: NodeCondition['status'] | undefined
  /** Its conditions as they are to be written, because nothing was heard of it for too long. */
  readonly conditions?: readonly NodeCondition[]
}

export interface HealthCheckInput {
  readonly lease: Lease | undefined
  readonly known: NodeHealth | undefined
  readonly clock: { now(): number; monotonic(): number }
  /** How long a node may be silent, in milliseconds: one that was heard of, and one that has yet to speak. */
  readonly grace: number
  readonly startupGrace: number
}

/** Looks at one node: has it given a sign of life, by its status or by its lease, and if not, for how long? */
export function checkHealth(node: Node, { lease, known, clock, grace, startupGrace }: HealthCheckInput): HealthCheck {
  const ready = readyConditionOf(node)
  const now = clock.monotonic()
  const isRenewed = lease !== undefined && isLater(lease.spec.renewTime, known?.renewTime)
  const aliveAt = isRenewed ? now : lastHeard(node, known, clock)
  const renewTime = isRenewed ? lease.spec.renewTime : known?.renewTime
  const observed = ready?.status ?? 'Unknown'
  const health: NodeHealth = { aliveAt, ready, renewTime }
  if (now <= aliveAt + (ready ? grace : startupGrace)) return { health, observed, current: ready?.status }
  const conditions = silenced(node, formatTime(clock.now()))
  const after = conditions.find(({ type }) => type === 'Ready')!
  if (isSame(after, ready)) return { health, observed, current: after.status }
  return { health: { ...health, ready: after }, observed, current: after.status, conditions }
}

/** A lease that is first seen counts as renewed. */
function isLater(renewTime: string | undefined, before: string | undefined): boolean {
  if (before === undefined) return true
  return renewTime !== undefined && parseMicroTime(renewTime) > parseMicroTime(before)
}

/** By its status: a heartbeat that differs from the last one is a sign of life; the same one, whatever else is said, is not. */
function lastHeard(node: Node, known: NodeHealth | undefined, clock: HealthCheckInput['clock']): number {
  const now = clock.monotonic()
  const ready = readyConditionOf(node)
  if (!ready) return known?.aliveAt ?? now - (clock.now() - parseTime(node.metadata.creationTimestamp!))
  if (!known?.ready) return now
  return known.ready.lastHeartbeatTime === ready.lastHeartbeatTime ? known.aliveAt : now
}

/** What the kubelet is to say. Whether there is a network is for others to say. */
const kubeletConditions = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'] as const

function silenced(node: Node, now: string): readonly NodeCondition[] {
  const kept = (node.status.conditions ?? []).map((condition) => {
    const isKubelets = (kubeletConditions as readonly string[]).includes(condition.type)
    return isKubelets && condition.status !== 'Unknown' ? unknown(condition, now) : condition
  })
  const missing = kubeletConditions.filter((type) => !nodeCondition(node, type))
  return [
    ...kept,
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
