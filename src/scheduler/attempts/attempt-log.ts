import type { SchedulingDecision } from '../cycle/decision.js'
import type { PluginRejection } from '../framework/rejection.js'

/** One attempt to place a pod: what was decided, and why, node by node. Nodes are told by name: what they were like is not kept. */
export interface SchedulingAttempt {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** How long the decision took, in milliseconds. */
  readonly took: number
  /** The name of the profile. */
  readonly profile: string
  /** `namespace/name` */
  readonly pod: string
  /** The chosen one. */
  readonly node?: string
  readonly nodeCount: number
  /** `rejections[i]` is what was said of `refused[i]`. */
  readonly rejectedNodes: readonly string[]
  readonly rejections: readonly PluginRejection[]
  /** What was said of the pod as such, or of nodes that were not looked at. */
  readonly commonRejection?: PluginRejection
  /** Nodes that would do, where there was a choice: that of `plugins[i]` for `compared[k]` is `weighted[i * compared.length + k]`. */
  readonly compared: readonly string[]
  readonly plugins: readonly string[]
  readonly weighted: Float64Array
  readonly totals: Float64Array
  /** The sentence that people read if no node would do. */
  readonly message?: string
}

const noScores = new Float64Array(0)

export function attemptFrom(
  { pod, node, nodeCount, diagnosis, scores }: SchedulingDecision,
  circumstances: Pick<SchedulingAttempt, 'at' | 'took' | 'profile' | 'message'>,
): SchedulingAttempt {
  const commonRejection = diagnosis.preFilterRejection ?? diagnosis.otherNodesRejection
  return {
    ...circumstances,
    pod: pod.key,
    ...(node && { node: node.name }),
    nodeCount,
    rejectedNodes: diagnosis.rejectedNodes.map(({ name }) => name),
    rejections: diagnosis.rejections,
    ...(commonRejection && { commonRejection }),
    compared: scores?.nodes.map(({ name }) => name) ?? [],
    plugins: scores?.plugins ?? [],
    weighted: scores?.weighted ?? noScores,
    totals: scores?.totals ?? noScores,
  }
}

export interface AttemptLogOptions {
  /** So many attempts of each pod are remembered. */
  readonly perPod?: number
  /** So much is remembered in all, counted in nodes that were refused and scores that were given. */
  readonly cells?: number
}

/** What the last attempts decided, and why. Bounded: the oldest is forgotten first. */
export class AttemptLog {
  readonly #perPod: number
  readonly #mostCells: number
  /** By `namespace/name`; the pod that was tried the longest ago is first. */
  readonly #attempts = new Map<string, SchedulingAttempt[]>()
  #cells = 0

  constructor({ perPod = 5, cells = 500_000 }: AttemptLogOptions = {}) {
    this.#perPod = perPod
    this.#mostCells = cells
  }

  add(attempt: SchedulingAttempt): void {
    const known = this.#attempts.get(attempt.pod) ?? []
    this.#attempts.delete(attempt.pod)
    this.#attempts.set(attempt.pod, known)
    known.push(attempt)
    this.#cells += cellsOf(attempt)
    if (known.length > this.#perPod) this.#cells -= cellsOf(known.shift()!)
    while (this.#cells > this.#mostCells && this.#attempts.size > 1) this.#forgetOldest()
  }

  /** The oldest first. */
  of(key: string): readonly SchedulingAttempt[] {
    return this.#attempts.get(key) ?? []
  }

  #forgetOldest(): void {
    const { value } = this.#attempts.entries().next()
    const [key, attempts] = value!
    for (const attempt of attempts) this.#cells -= cellsOf(attempt)
    this.#attempts.delete(key)
  }
}

/** Even an attempt that looked at nothing takes up room. */
function cellsOf({ rejectedNodes, weighted }: SchedulingAttempt): number {
  return 10 + rejectedNodes.length + weighted.length
}
