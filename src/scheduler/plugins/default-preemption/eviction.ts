import type { PodCondition } from '../../../api/core/v1/pod/status.js'
import { Pod } from '../../../api/core/v1/pod.js'
import { hasReason } from '../../../api/errors.js'
import { formatTime } from '../../../schema/values/time.js'
import type { PodInfo } from '../../cache/pod-info.js'
import type { PreemptionCandidate } from '../../extenders/extender.js'
import type { PostFilterDependencies } from '../../framework/plugin.js'

export interface PreemptionEviction {
  /** The pod for which room is made. */
  readonly pod: PodInfo
  readonly candidate: PreemptionCandidate
  /** Pods of lower priority that are nominated to the same node: they lose their nomination. */
  readonly displaced: readonly PodInfo[]
}

/** Deletes the victims that are not being deleted yet. Rejects if one of the requests fails; the others still take effect. */
export async function evictVictims(
  { pod, candidate, displaced }: PreemptionEviction,
  dependencies: PostFilterDependencies,
): Promise<void> {
  await Promise.all(displaced.map((other) => clearNomination(other, dependencies)))
  const remaining = candidate.victims.filter((victim) => !victim.pod.metadata.deletionTimestamp)
  // The last victim follows when the others are being deleted: its end triggers the next attempt, which must find all the room.
  await Promise.all(remaining.slice(0, -1).map((victim) => evictVictim(victim, pod, candidate, dependencies)))
  const last = remaining.at(-1)
  if (last) await evictVictim(last, pod, candidate, dependencies)
}

async function evictVictim(
  victim: PodInfo,
  pod: PodInfo,
  { node }: PreemptionCandidate,
  dependencies: PostFilterDependencies,
): Promise<void> {
  const { client, events } = dependencies
  const { name, namespace, uid } = victim.pod.metadata
  const pods = client.resource(Pod).in(namespace!)
  try {
    const conditions = [disruptionCondition(victim, pod, dependencies)]
    await pods.subresource('status').patch(name!, 'strategic', { metadata: { uid }, status: { conditions } })
    await pods.delete(name!, { preconditions: { uid: uid! } })
  } catch (error) {
    if (hasReason(error, 'NotFound') || hasReason(error, 'Conflict')) return // deleted, or replaced by another pod
    throw error
  }
  events.record({
    about: victim.pod,
    type: 'Normal',
    reason: 'Preempted',
    message: `Preempted by pod ${pod.uid} on node ${node.name}`,
  })
}

function disruptionCondition(
  { pod: { metadata } }: PodInfo,
  { pod }: PodInfo,
  { environment }: PostFilterDependencies,
): PodCondition {
  return {
    type: 'DisruptionTarget',
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    status: 'True',
    lastProbeTime: null as never, // as in every condition of a pod
    lastTransitionTime: formatTime(environment.clock.now()),
    reason: 'PreemptionByScheduler',
    message: `${pod.spec.schedulerName}: preempting to accommodate a higher priority pod`,
  }
}

async function clearNomination(
  { pod: { metadata, status } }: PodInfo,
  { client }: PostFilterDependencies,
): Promise<void> {
  if (!status?.nominatedNodeName) return
  const pods = client.resource(Pod).in(metadata.namespace!)
  try {
    await pods.subresource('status').patch(metadata.name!, 'merge', { status: { nominatedNodeName: null } })
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
}
