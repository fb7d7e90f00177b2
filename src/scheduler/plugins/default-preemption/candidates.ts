import type { PodDisruptionBudget } from '../../../api/policy/v1/pod-disruption-budget.js'
import type { NodeInfo } from '../../cache/node-info.js'
import { reasonsWithCounts } from '../../cycle/unschedulable-message.js'
import type { PreemptionCandidate } from '../../extenders/extender.js'
import type { PostFilterContext } from '../../framework/plugin.js'
import { DisruptionBudgets } from './disruption-budgets.js'
import { isCandidate, victimsOn } from './victims.js'

export interface CandidateSearchResult {
  /** Those where no budget is exceeded come first. */
  readonly candidates: readonly PreemptionCandidate[]
  /** If there are none: why. */
  readonly message: string
}

const notHelpful = 'Preemption is not helpful for scheduling'

/**
 * Tries out where room could be made: on nodes that were refused for a reason that pods have to do with, beginning anywhere, until there
 * are enough to choose from. @param enough how many candidates that is, of so many nodes
 */
export function findCandidates(
  { decision, snapshot, filters, nominated, random }: PostFilterContext,
  budgets: Iterable<PodDisruptionBudget>,
  enough: (nodes: number) => number,
): CandidateSearchResult {
  const nodes = nodesToTry(decision.diagnosis)
  const found = new Found(enough(nodes.length))
  if (nodes.length > 0) {
    const parts = { pod: decision.pod, filters, nominated }
    const known = new DisruptionBudgets(budgets)
    const start = random.integer(nodes.length)
    for (let i = 0; i < nodes.length && !found.isEnough; i++) {
      const node = nodes[(start + i) % nodes.length]!
      const result = victimsOn(node, parts, known)
      if (isCandidate(result)) found.add(result)
      else found.note(result)
    }
  }
  return { candidates: found.candidates, message: found.message(snapshot.size) }
}

function nodesToTry({ rejectedNodes, rejections }: PostFilterContext['decision']['diagnosis']): readonly NodeInfo[] {
  return rejectedNodes.filter((_, i) => rejections[i]!.isResolvable)
}

class Found {
  readonly #enough: number
  readonly #harmless: PreemptionCandidate[] = []
  readonly #violating: PreemptionCandidate[] = []
  readonly #reasons = new Map<string, number>()
  #refused = 0

  constructor(enough: number) {
    this.#enough = enough
  }

  add(candidate: PreemptionCandidate): void {
    ;(candidate.violations === 0 ? this.#harmless : this.#violating).push(candidate)
  }

  note(reasons: readonly string[]): void {
    this.#refused++
    for (const reason of reasons) this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1)
  }

  /** As long as every candidate exceeds a budget, more are looked for. */
  get isEnough(): boolean {
    return this.#harmless.length > 0 && this.#harmless.length + this.#violating.length >= this.#enough
  }

  get candidates(): readonly PreemptionCandidate[] {
    return [...this.#harmless, ...this.#violating]
  }

  message(nodeCount: number): string {
    const counts = new Map(this.#reasons)
    const others = nodeCount - this.#refused
    if (others > 0) counts.set(notHelpful, (counts.get(notHelpful) ?? 0) + others)
    return `0/${nodeCount} nodes are available: ${reasonsWithCounts(counts)}.`
  }
}
