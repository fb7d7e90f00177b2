import type { SchedulingAttempt } from './attempt-log.js'

/** How many nodes `describeScores` lists. */
const maxDescribed = 3

/** The scores of the chosen node and of the next best: `worker-1 187 (TaintToleration 300, NodeResourcesFit 87), worker-2 …`. */
export function describeScores(attempt: SchedulingAttempt): string {
  const { node, scoredNodes, totals } = attempt
  if (node === undefined) return ''
  if (scoredNodes.length === 0) return `${node} is the only feasible node`
  // The chosen node comes first among those with the same total.
  const rank = (k: number) => totals[k]! + (scoredNodes[k] === node ? 0.5 : 0)
  const indexes = scoredNodes.map((_, k) => k).sort((left, right) => rank(right) - rank(left))
  return indexes
    .slice(0, maxDescribed)
    .map((k) => describeNode(attempt, k))
    .join(', ')
}

function describeNode({ scoredNodes, plugins, weighted, totals }: SchedulingAttempt, k: number): string {
  const parts = plugins.map((plugin, i) => `${plugin} ${weighted[i * scoredNodes.length + k]}`)
  return `${scoredNodes[k]} ${totals[k]} (${parts.join(', ')})`
}

/** The result of an attempt for one node: a rejection, or the scores by plugin. */
export interface NodeResult {
  readonly node: string
  readonly rejectedBy?: string
  readonly reasons?: readonly string[]
  readonly total?: number
  readonly scores?: Readonly<Record<string, number>>
}

/** The results for all nodes that were filtered: the best first, rejected nodes last. */
export function nodeResults(attempt: SchedulingAttempt): readonly NodeResult[] {
  const { node, rejectedNodes, rejections, scoredNodes, plugins, weighted, totals } = attempt
  const rejected = rejectedNodes.map((name, i) => {
    const { plugin, reasons } = rejections[i]!
    return { node: name, rejectedBy: plugin, reasons }
  })
  if (scoredNodes.length === 0) return node === undefined ? rejected : [{ node }, ...rejected]
  const scored = scoredNodes.map((name, k) => ({
    node: name,
    total: totals[k]!,
    scores: Object.fromEntries(plugins.map((plugin, i) => [plugin, weighted[i * scoredNodes.length + k]!])),
  }))
  return [...scored.sort((left, right) => right.total - left.total), ...rejected]
}
