import { PodDisruptionBudget } from '../../../api/policy/v1/pod-disruption-budget.js'
import * as field from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import { int32 } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'
import type { PodInfo } from '../../cache/pod-info.js'
import { rejectionOfNode } from '../../cycle/decision.js'
import type { Extender, PreemptionCandidate } from '../../extenders/extender.js'
import { declarePlugin } from '../../framework/declaration.js'
import type { PostFilterContext, PostFilterResult } from '../../framework/plugin.js'
import { configurationVersion, typeMetaFields, validateRange } from '../../framework/plugin-arguments.js'
import { findCandidates, selectCandidate } from './candidates.js'
import { evictVictims } from './eviction.js'

export const DefaultPreemptionArgs = schema(`${configurationVersion}.DefaultPreemptionArgs`, {
  optional: {
    ...typeMetaFields,
    /** The search ends after this share of the nodes has become candidates … */
    minCandidateNodesPercentage: int32(0, { keepZero: true, default: 10 }),
    /** … but not before there are this many. */
    minCandidateNodesAbsolute: int32(0, { keepZero: true, default: 100 }),
  },
})
export interface DefaultPreemptionArgs extends Infer<typeof DefaultPreemptionArgs> {}

/** A pod that fits nowhere evicts pods of lower priority. */
export const defaultPreemption = declarePlugin({
  name: 'DefaultPreemption',
  extensionPoints: ['postFilter'],
  defaultProfile: { position: 120 },
  arguments: { schema: DefaultPreemptionArgs, validate },
  create({ informers, extenders }, args: DefaultPreemptionArgs) {
    const { minCandidateNodesPercentage = 0, minCandidateNodesAbsolute = 0 } = args
    const budgets = informers.of(PodDisruptionBudget)
    const enough = (nodes: number) =>
      Math.max(Math.floor((nodes * minCandidateNodesPercentage) / 100), minCandidateNodesAbsolute)
    return {
      postFilter(context) {
        const { pod, diagnosis } = context.decision
        if (diagnosis.preFilterRejection) return { message: '', nominatedNode: '' } // no pod is the cause of it
        const ineligible = ineligibility(pod, context)
        if (ineligible) return { message: `preemption: ${ineligible}` }
        const { candidates, message } = findCandidates(context, budgets.list(), enough)
        if (candidates.length === 0) return { message: `preemption: ${message}`, nominatedNode: '' }
        const interested = extenders.filter((extender) => extender.preempt && extender.isInterested(pod.pod))
        if (interested.length === 0) return preemptOn(selectCandidate(candidates), context)
        return callExtenders(interested, pod, candidates).then((rest) => preemptOn(selectCandidate(rest), context))
      },
    }
  },
})

function validate(args: DefaultPreemptionArgs, path: FieldPath): readonly field.FieldError[] {
  const { minCandidateNodesPercentage: percentage = 0, minCandidateNodesAbsolute: absolute = 0 } = args
  const percentagePath = path.child('minCandidateNodesPercentage')
  const absolutePath = path.child('minCandidateNodesAbsolute')
  const bothZero =
    percentage === 0 && absolute === 0
      ? [
          field.invalid(percentagePath, percentage, 'cannot be zero at the same time as minCandidateNodesAbsolute'),
          field.invalid(absolutePath, absolute, 'cannot be zero at the same time as minCandidateNodesPercentage'),
        ]
      : []
  return [
    ...validateRange(percentagePath, percentage, [0, 100]),
    ...validateRange(absolutePath, absolute, [0, Number.POSITIVE_INFINITY]),
    ...bothZero,
  ]
}

/** Why the pod must not preempt others; undefined if it may. */
function ineligibility({ pod, priority }: PodInfo, { decision, snapshot }: PostFilterContext): string | undefined {
  if (pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.'
  const { nominatedNodeName } = pod.status ?? {}
  const node = nominatedNodeName ? snapshot.get(nominatedNodeName) : undefined
  if (!node || rejectionOfNode(decision, node.name)?.isResolvable === false) return undefined
  const isVictimLeft = node.pods.some((other) => other.priority < priority && isPreempted(other))
  return isVictimLeft ? 'not eligible due to a terminating pod on the nominated node.' : undefined
}

/** The scheduler evicted the pod, and it has not ended yet. */
function isPreempted({ pod: { metadata, status } }: PodInfo): boolean {
  const target = status?.conditions?.find(({ type }) => type === 'DisruptionTarget')
  return Boolean(metadata.deletionTimestamp) && target?.status === 'True' && target.reason === 'PreemptionByScheduler'
}

function preemptOn(candidate: PreemptionCandidate | undefined, context: PostFilterContext): PostFilterResult {
  if (!candidate) return { message: 'preemption: no candidate node for preemption' }
  const { pod } = context.decision
  const { name: node } = candidate.node
  const displaced = context.nominated.onNode(node).filter(({ priority }) => priority < pod.priority)
  return {
    message: '',
    nominatedNode: node,
    execute: (dependencies) => evictVictims({ pod, candidate, displaced }, dependencies),
  }
}

/** Each extender may drop candidates and change victims; the next one gets the rest. Rejects if one that is not ignorable fails. */
async function callExtenders(
  extenders: readonly Extender[],
  pod: PodInfo,
  candidates: readonly PreemptionCandidate[],
): Promise<readonly PreemptionCandidate[]> {
  let rest = candidates
  for (const extender of extenders) {
    if (rest.length === 0) break
    rest = await callExtender(extender, pod, rest)
  }
  return rest
}

async function callExtender(
  extender: Extender,
  pod: PodInfo,
  candidates: readonly PreemptionCandidate[],
): Promise<readonly PreemptionCandidate[]> {
  try {
    const rest = await extender.preempt!(pod, candidates)
    const empty = rest.find(({ victims }) => victims.length === 0)
    if (!empty) return rest
    if (!extender.isIgnorable) throw new Error(`expected at least one victim pod on node "${empty.node.name}"`)
    return rest.filter(({ victims }) => victims.length > 0)
  } catch (error) {
    if (extender.isIgnorable) return candidates
    throw error
  }
}
