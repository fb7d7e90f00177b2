import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import type { PreemptionCandidate } from '../../extenders/extender.js'
import type { DisruptionBudgets } from './disruption-budgets.js'
import { type DryRunContext, NodeDryRun } from './dry-run.js'

const noVictims: readonly string[] = ['No preemption victims found for incoming pod']

/** The victims on a node; or, as reasons, why preemption does not help there. */
export type VictimSearchResult = PreemptionCandidate | readonly string[]

export function isCandidate(result: VictimSearchResult): result is PreemptionCandidate {
  return 'node' in result
}

/**
 * Selects as few victims as possible: removes all pods of lower priority, then reprieves one after the other, the most important first, as
 * long as the incoming pod still fits. Pods that a disruption budget protects are reprieved before all others.
 */
export function selectVictims(node: NodeInfo, context: DryRunContext, budgets: DisruptionBudgets): VictimSearchResult {
  const lowerPriority = node.pods.filter((other) => other.priority < context.pod.priority)
  if (lowerPriority.length === 0) return noVictims
  const run = new NodeDryRun(context, node)
  run.removeAll(lowerPriority)
  const rejection = run.rejection()
  if (rejection) return rejection.reasons
  const { violating, nonViolating } = budgets.split(lowerPriority.toSorted(byImportance))
  const violatingVictims = violating.filter((pod) => !isReprieved(pod, run))
  const otherVictims = nonViolating.filter((pod) => !isReprieved(pod, run))
  const victims = [...violatingVictims, ...otherVictims]
  if (violatingVictims.length > 0 && otherVictims.length > 0) victims.sort(byImportance)
  if (victims.length === 0) throw new Error(`expected at least one victim pod on node "${node.name}"`)
  return { node, victims, violations: violatingVictims.length }
}

function isReprieved(pod: PodInfo, run: NodeDryRun): boolean {
  run.add(pod)
  if (!run.rejection()) return true
  run.remove(pod)
  return false
}

/** Sorts after every timestamp: a pod that has not started counts as started last. */
const notStarted = '~'

/** When the pod started, as text that sorts by time. */
export function startTime({ pod }: PodInfo): string {
  return pod.status?.startTime ?? notStarted
}

/** The most important first: by priority, then by start time. */
function byImportance(left: PodInfo, right: PodInfo): number {
  if (left.priority !== right.priority) return right.priority - left.priority
  const [one, other] = [startTime(left), startTime(right)]
  return one < other ? -1 : one > other ? 1 : 0
}
