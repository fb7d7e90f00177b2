import type { SchedulingDecision } from '../cycle/decision.js'
import type { PluginRejection } from '../framework/rejection.js'

/** One scheduling attempt: the decision and its reasons, node by node. Nodes are kept by name only. */
export interface SchedulingAttempt {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Milliseconds. */
  readonly took: number
  /** The scheduler name. */
  readonly profile: string
  /** `namespace/name` */
  readonly pod: string
  /** The chosen node. */
  readonly node?: string
  readonly nodeCount: number
  /** `rejections[i]` belongs to `rejectedNodes[i]`. */
  readonly rejectedNodes: readonly string[]
  readonly rejections: readonly PluginRejection[]
  /** The rejection of the pod in PreFilter, or of the nodes that were not filtered. */
  readonly commonRejection?: PluginRejection
  /** The feasible nodes, if there were several. The score of `plugins[i]` for `scoredNodes[k]` is `weighted[i * scoredNodes.length + k]`. */
  readonly scoredNodes: readonly string[]
  readonly plugins: readonly string[]
  readonly weighted: Float64Array
  readonly totals: Float64Array
  /** The message of the PodScheduled condition, if no node was feasible. */
  readonly message?: string
}

const noScores = new Float64Array(0)

export function attemptFrom(
  { pod, node, nodeCount, diagnosis, scores }: SchedulingDecision,
  attempt: Pick<SchedulingAttempt, 'at' | 'took' | 'profile' | 'message'>,
): SchedulingAttempt {
  const commonRejection = diagnosis.preFilterRejection ?? diagnosis.otherNodesRejection
  return {
    ...attempt,
    pod: pod.key,
    ...(node && { node: node.name }),
    nodeCount,
    rejectedNodes: diagnosis.rejectedNodes.map(({ name }) => name),
    rejections: diagnosis.rejections,
    ...(commonRejection && { commonRejection }),
    scoredNodes: scores?.nodes.map(({ name }) => name) ?? [],
    plugins: scores?.plugins ?? [],
    weighted: scores?.weighted ?? noScores,
    totals: scores?.totals ?? noScores,
  }
}

export interface AttemptLogOptions {
  /** The number of attempts kept for each pod. */
  readonly perPod?: number
  /** The total size: rejected nodes plus scores. */
  readonly cells?: number
}

/** The last attempts of each pod. Bounded: the oldest are dropped first. */
export class AttemptLog {
  readonly #perPod: number
  readonly #maxCells: number
  /** By `namespace/name`. The pod whose last attempt is the oldest comes first. */
  readonly #attempts = new Map<string, SchedulingAttempt[]>()
  #cells = 0

  constructor({ perPod = 5, cells = 500_000 }: AttemptLogOptions = {}) {
    this.#perPod = perPod
    this.#maxCells = cells
  }

  add(attempt: SchedulingAttempt): void {
    const known = this.#attempts.get(attempt.pod) ?? []
    this.#attempts.delete(attempt.pod)
    this.#attempts.set(attempt.pod, known)
    known.push(attempt)
    this.#cells += cellsOf(attempt)
    if (known.length > this.#perPod) this.#cells -= cellsOf(known.shift()!)
    while (this.#cells > this.#maxCells && this.#attempts.size > 1) this.#dropOldestPod()
  }

  /** The oldest first. */
  of(key: string): readonly SchedulingAttempt[] {
    return this.#attempts.get(key) ?? []
  }

  #dropOldestPod(): void {
    const { value } = this.#attempts.entries().next()
    const [key, attempts] = value!
    for (const attempt of attempts) this.#cells -= cellsOf(attempt)
    this.#attempts.delete(key)
  }
}

/** The constant stands for the size of an attempt without nodes. */
function cellsOf({ rejectedNodes, weighted }: SchedulingAttempt): number {
  return 10 + rejectedNodes.length + weighted.length
}
