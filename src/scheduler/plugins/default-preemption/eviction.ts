import type { PodCondition } from '../../../api/core/v1/pod/status.js'
import { Pod } from '../../../api/core/v1/pod.js'
import { hasReason } from '../../../api/errors.js'
import { formatTime } from '../../../schema/values/time.js'
import type { PodInfo } from '../../cache/pod-info.js'
import type { PreemptionCandidate } from '../../extenders/extender.js'
import type { PostFilterDependencies } from '../../framework/plugin.js'

export interface PreemptionEviction {
  /** For whom room is made. */
  readonly pod: PodInfo
  readonly candidate: PreemptionCandidate
  /** Pods that wanted to be there and matter less: they are to look for another place. */
  readonly displaced: readonly PodInfo[]
}

/** Makes room. Who is leaving already is not told again. Rejects if a pod cannot be told; those that were will go all the same. */
export async function evictVictims(
  { pod, candidate, displaced }: PreemptionEviction,
  means: PostFilterDependencies,
): Promise<void> {
  await Promise.all(displaced.map((other) => withoutNomination(other, means)))
  const staying = candidate.victims.filter((victim) => !victim.pod.metadata.deletionTimestamp)
  // The last one goes when the others are on their way: the pod is tried again when the last one has gone, and must find room then.
  await Promise.all(staying.slice(0, -1).map((victim) => evictOne(victim, pod, candidate, means)))
  const last = staying.at(-1)
  if (last) await evictOne(last, pod, candidate, means)
}

async function evictOne(
  victim: PodInfo,
  pod: PodInfo,
  { node }: PreemptionCandidate,
  means: PostFilterDependencies,
): Promise<void> {
  const { client, events } = means
  const { name, namespace, uid } = victim.pod.metadata
  const pods = client.resource(Pod).in(namespace!)
  try {
    const conditions = [disruption(victim, pod, means)]
    await pods.subresource('status').patch(name!, 'strategic', { metadata: { uid }, status: { conditions } })
    await pods.delete(name!, { preconditions: { uid: uid! } })
  } catch (error) {
    if (hasReason(error, 'NotFound') || hasReason(error, 'Conflict')) return // it is gone, or another one by now
    throw error
  }
  events.record({
    about: victim.pod,
    type: 'Normal',
    reason: 'Preempted',
    message: `Preempted by pod ${pod.uid} on node ${node.name}`,
  })
}

function disruption(
  { pod: { metadata } }: PodInfo,
  { pod }: PodInfo,
  { environment }: PostFilterDependencies,
): PodCondition {
  return {
    type: 'DisruptionTarget',
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    status: 'True',
    lastProbeTime: null as never, // as every condition of a pod has it
    lastTransitionTime: formatTime(environment.clock.now()),
    reason: 'PreemptionByScheduler',
    message: `${pod.spec.schedulerName}: preempting to accommodate a higher priority pod`,
  }
}

async function withoutNomination(
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
