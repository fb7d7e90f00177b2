import type { PodDisruptionBudget } from '../../../api/policy/v1/pod-disruption-budget.js'
import type { NodeInfo } from '../../cache/node-info.js'
import { reasonsWithCounts } from '../../cycle/unschedulable-message.js'
import type { PreemptionCandidate } from '../../extenders/extender.js'
import type { PostFilterContext } from '../../framework/plugin.js'
import { DisruptionBudgets } from './disruption-budgets.js'
import { isCandidate, selectVictims, startTime } from './victims.js'

export interface CandidateSearchResult {
  /** Candidates without a violated budget come first. */
  readonly candidates: readonly PreemptionCandidate[]
  /** Why there are none. */
  readonly message: string
}

const notHelpful = 'Preemption is not helpful for scheduling'

/**
 * Dry-runs preemption on the nodes whose rejection is resolvable, from a random start, until there are enough candidates.
 * @param enough how many candidates are enough, given the number of such nodes
 */
export function findCandidates(
  { decision, snapshot, filters, nominated, random }: PostFilterContext,
  budgets: Iterable<PodDisruptionBudget>,
  enough: (nodes: number) => number,
): CandidateSearchResult {
  const nodes = resolvableNodes(decision.diagnosis)
  const found = new CandidateList(enough(nodes.length))
  if (nodes.length > 0) {
    const context = { pod: decision.pod, filters, nominated }
    const known = new DisruptionBudgets(budgets)
    const start = random.integer(nodes.length)
    for (let i = 0; i < nodes.length && !found.isComplete; i++) {
      const node = nodes[(start + i) % nodes.length]!
      const result = selectVictims(node, context, known)
      if (isCandidate(result)) found.add(result)
      else found.addReasons(result)
    }
  }
  return { candidates: found.candidates, message: found.message(snapshot.size) }
}

function resolvableNodes(diagnosis: PostFilterContext['decision']['diagnosis']): readonly NodeInfo[] {
  const { rejectedNodes, rejections } = diagnosis
  return rejectedNodes.filter((_, i) => rejections[i]!.isResolvable)
}

class CandidateList {
  readonly #enough: number
  readonly #nonViolating: PreemptionCandidate[] = []
  readonly #violating: PreemptionCandidate[] = []
  readonly #reasons = new Map<string, number>()
  #rejected = 0

  constructor(enough: number) {
    this.#enough = enough
  }

  add(candidate: PreemptionCandidate): void {
    ;(candidate.violations === 0 ? this.#nonViolating : this.#violating).push(candidate)
  }

  addReasons(reasons: readonly string[]): void {
    this.#rejected++
    for (const reason of reasons) this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1)
  }

  /** As long as every candidate violates a budget, the search goes on. */
  get isComplete(): boolean {
    return this.#nonViolating.length > 0 && this.#nonViolating.length + this.#violating.length >= this.#enough
  }

  get candidates(): readonly PreemptionCandidate[] {
    return [...this.#nonViolating, ...this.#violating]
  }

  message(nodeCount: number): string {
    const counts = new Map(this.#reasons)
    const others = nodeCount - this.#rejected
    if (others > 0) counts.set(notHelpful, (counts.get(notHelpful) ?? 0) + others)
    return `0/${nodeCount} nodes are available: ${reasonsWithCounts(counts)}.`
  }
}

/** Added to each priority, so that every further victim makes the sum larger, even one of negative priority. */
const priorityOffset = 2 ** 31

/** Upstream's criteria, the most important first. Lower is better. */
const criteria: readonly ((candidate: PreemptionCandidate) => number)[] = [
  ({ violations }) => violations,
  ({ victims }) => victims[0]!.priority,
  ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + priorityOffset, 0),
  ({ victims }) => victims.length,
]

/** The candidate that does the least harm. Among equals the one whose most important victims started last, then the first. */
export function selectCandidate(candidates: readonly PreemptionCandidate[]): PreemptionCandidate | undefined {
  let rest = candidates
  for (const criterion of criteria) {
    if (rest.length < 2) return rest[0]
    const values = rest.map(criterion)
    const least = Math.min(...values)
    rest = rest.filter((_, i) => values[i] === least)
  }
  return rest.reduce<PreemptionCandidate | undefined>(
    (best, each) => (best && earliestStart(best) >= earliestStart(each) ? best : each),
    undefined,
  )
}

/** The earliest start time among the victims of the highest priority. */
function earliestStart({ victims }: PreemptionCandidate): string {
  const { priority } = victims[0]!
  let earliest = startTime(victims[0]!)
  for (const victim of victims)
    if (victim.priority === priority && startTime(victim) < earliest) earliest = startTime(victim)
  return earliest
}
