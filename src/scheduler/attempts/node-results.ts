import type { SchedulingAttempt } from './attempt-log.js'

/** So many of the nodes that would have done are told, the best first. */
const mostTold = 3

/** The scores of the chosen node and of the next best: `worker-1 187 (TaintToleration 300, NodeResourcesFit 87), worker-2 …`. */
export function describeScores(attempt: SchedulingAttempt): string {
  const { node, compared, totals } = attempt
  if (node === undefined) return ''
  if (compared.length === 0) return `${node} is the only one that would do`
  // The chosen one is first among those with the same total.
  const rank = (k: number) => totals[k]! + (compared[k] === node ? 0.5 : 0)
  const places = compared.map((_, k) => k).sort((left, right) => rank(right) - rank(left))
  return places
    .slice(0, mostTold)
    .map((k) => nodeInWords(attempt, k))
    .join(', ')
}

function nodeInWords({ compared, plugins, weighted, totals }: SchedulingAttempt, k: number): string {
  const parts = plugins.map((plugin, i) => `${plugin} ${weighted[i * compared.length + k]}`)
  return `${compared[k]} ${totals[k]} (${parts.join(', ')})`
}

/** What became of a node: what was said against it, or its score by each plugin. */
export interface NodeResult {
  readonly node: string
  readonly rejectedBy?: string
  readonly reasons?: readonly string[]
  readonly total?: number
  readonly scores?: Readonly<Record<string, number>>
}

/** Of each node that was looked at; the best first, those that will not do last. */
export function nodeResults({
  node,
  rejectedNodes,
  rejections,
  compared,
  plugins,
  weighted,
  totals,
}: SchedulingAttempt): readonly NodeResult[] {
  const against = rejectedNodes.map((name, i) => {
    const { plugin, reasons } = rejections[i]!
    return { node: name, refusedBy: plugin, reasons }
  })
  if (compared.length === 0) return node === undefined ? against : [{ node }, ...against]
  const scored = compared.map((name, k) => ({
    node: name,
    total: totals[k]!,
    scores: Object.fromEntries(plugins.map((plugin, i) => [plugin, weighted[i * compared.length + k]!])),
  }))
  return [...scored.sort((left, right) => right.total - left.total), ...against]
}
