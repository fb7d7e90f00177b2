import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import type { PreemptionCandidate } from '../../extenders/extender.js'
import type { DisruptionBudgets } from './disruption-budgets.js'
import { type DryRunContext, NodeDryRun } from './dry-run.js'
import { byImportance } from './importance.js'

const noVictims: readonly string[] = ['No preemption victims found for incoming pod']

/** Who would have to leave a node; or, as reasons, why that would not help. */
export type VictimSearchResult = PreemptionCandidate | readonly string[]

export function isCandidate(found: VictimSearchResult): found is PreemptionCandidate {
  return 'node' in found
}

/**
 * As few as possible: everybody who matters less is taken away, and then each, the most important first, is let back who does not keep the
 * pod from fitting. Those whom a disruption budget protects are let back before all others.
 */
export function victimsOn(node: NodeInfo, parts: DryRunContext, budgets: DisruptionBudgets): VictimSearchResult {
  const { priority } = parts.pod
  const lesser = node.pods.filter((other) => other.priority < priority)
  if (lesser.length === 0) return noVictims
  const world = new NodeDryRun(parts, node)
  world.removeAll(lesser)
  const rejection = world.rejection()
  if (rejection) return rejection.reasons
  const split = budgets.split(lesser.toSorted(byImportance))
  const violated = split.protected.filter((pod) => !isLetBack(pod, world))
  const others = split.others.filter((pod) => !isLetBack(pod, world))
  const victims =
    violated.length > 0 && others.length > 0 ? [...violated, ...others].sort(byImportance) : [...violated, ...others]
  if (victims.length === 0) throw new Error(`expected at least one victim pod on node "${node.name}"`)
  return { node, victims, violations: violated.length }
}

function isLetBack(pod: PodInfo, world: NodeDryRun): boolean {
  world.add(pod)
  if (!world.rejection()) return true
  world.remove(pod)
  return false
}
