import { PodDisruptionBudget } from '../../../api/policy/v1/pod-disruption-budget.js'
import type { SharedInformers } from '../../../client/informers/informer.js'
import type { PodInfo } from '../../cache/pod-info.js'
import { rejectionOfNode } from '../../cycle/decision.js'
import type { Extender, PreemptionCandidate } from '../../extenders/extender.js'
import type { PostFilterContext, PostFilterResult, SchedulerPlugin } from '../../framework/plugin.js'
import { findCandidates } from './candidates.js'
import { selectCandidate } from './choice.js'
import { evictVictims } from './eviction.js'
import { filterCandidatesByExtenders } from './extender-candidates.js'

const name = 'DefaultPreemption'

export interface PreemptionOptions {
  readonly informers: SharedInformers
  /** Those who have a say in who is to go. */
  readonly extenders?: readonly Extender[]
  /** Of the nodes on which somebody could make room, so many percent are found to choose from … */
  readonly minCandidateNodesPercentage?: number
  /** … but at least so many, if there are. */
  readonly minCandidateNodesAbsolute?: number
}

/** A pod that fits nowhere makes room for itself, where others matter less. */
export function defaultPreemption(options: PreemptionOptions): SchedulerPlugin {
  const { informers, extenders = [], minCandidateNodesPercentage = 10, minCandidateNodesAbsolute = 100 } = options
  const budgets = informers.of(PodDisruptionBudget)
  return {
    name,
    postFilter(failed) {
      const { pod, diagnosis } = failed.decision
      if (diagnosis.preFilterRejection) return { message: '', nominatedNode: '' } // no node is the reason, and no other pod
      const objection = objectionTo(pod, failed)
      if (objection) return { message: `preemption: ${objection}` }
      const enough = (nodes: number) =>
        Math.max(Math.floor((nodes * minCandidateNodesPercentage) / 100), minCandidateNodesAbsolute)
      const { candidates, message } = findCandidates(failed, budgets.list(), enough)
      if (candidates.length === 0) return { message: `preemption: ${message}`, nominatedNode: '' }
      const interested = extenders.filter((extender) => extender.preempt && extender.isInterested(pod.pod))
      if (interested.length === 0) return roomOn(selectCandidate(candidates), failed)
      return filterCandidatesByExtenders(interested, pod, candidates).then((rest) =>
        roomOn(selectCandidate(rest), failed),
      )
    },
  }
}

/** Why the pod may not send others away. */
function objectionTo({ pod, priority }: PodInfo, { decision, snapshot }: PostFilterContext): string | undefined {
  if (pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.'
  const { nominatedNodeName } = pod.status ?? {}
  const node = nominatedNodeName ? snapshot.get(nominatedNodeName) : undefined
  if (!node || rejectionOfNode(decision, node.name)?.isResolvable === false) return undefined
  const isWaitedFor = node.pods.some((other) => other.priority < priority && isLeaving(other))
  return isWaitedFor ? 'not eligible due to a terminating pod on the nominated node.' : undefined
}

/** By the scheduler's will. */
function isLeaving({ pod: { metadata, status } }: PodInfo): boolean {
  const target = status?.conditions?.find(({ type }) => type === 'DisruptionTarget')
  return Boolean(metadata.deletionTimestamp) && target?.status === 'True' && target.reason === 'PreemptionByScheduler'
}

function roomOn(
  candidate: PreemptionCandidate | undefined,
  { decision: { pod }, nominated }: PostFilterContext,
): PostFilterResult {
  if (!candidate) return { message: 'preemption: no candidate node for preemption' }
  const { name: node } = candidate.node
  const displaced = nominated.onNode(node).filter(({ priority }) => priority < pod.priority)
  return {
    message: '',
    nominatedNode: node,
    execute: (means) => evictVictims({ pod, candidate, displaced }, means),
  }
}
