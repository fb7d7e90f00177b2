import type { Decision, Scores } from '../decision.js'
import { refusalOf } from '../decision.js'

/** So many of the nodes that would have done are told, the best first. */
const mostTold = 3

/** The scores of the chosen node and of the next best: `worker-1 187 (TaintToleration 300, NodeResourcesFit 87), worker-2 …`. */
export function scoresInWords({ node, scores }: Decision): string {
  if (!node) return ''
  if (!scores) return `${node.name} is the only one that would do`
  const places = scores.nodes
    .map((_, k) => k)
    .sort((left, right) => rank(scores, right, node.name) - rank(scores, left, node.name))
  return places
    .slice(0, mostTold)
    .map((k) => nodeInWords(scores, k))
    .join(', ')
}

/** The chosen one is first among those with the same total. */
function rank({ nodes, totals }: Scores, k: number, chosen: string): number {
  return totals[k]! + (nodes[k]!.name === chosen ? 0.5 : 0)
}

function nodeInWords({ nodes, plugins, weighted, totals }: Scores, k: number): string {
  const parts = plugins.map((plugin, i) => `${plugin} ${weighted[i * nodes.length + k]}`)
  return `${nodes[k]!.name} ${totals[k]} (${parts.join(', ')})`
}

/** What became of each node: what was said against it, or its score by each plugin. */
export interface NodeVerdict {
  readonly node: string
  readonly refusedBy?: string
  readonly reasons?: readonly string[]
  readonly total?: number
  readonly scores?: Readonly<Record<string, number>>
}

export function verdicts(decision: Decision): readonly NodeVerdict[] {
  const { diagnosis, scores, node } = decision
  const refused = diagnosis.refused.map(({ name }) => {
    const { plugin, reasons } = refusalOf(decision, name)!
    return { node: name, refusedBy: plugin, reasons }
  })
  if (!scores) return node ? [{ node: node.name }, ...refused] : refused
  const compared = scores.nodes.map(({ name }, k) => ({
    node: name,
    total: scores.totals[k]!,
    scores: Object.fromEntries(
      scores.plugins.map((plugin, i) => [plugin, scores.weighted[i * scores.nodes.length + k]!]),
    ),
  }))
  return [...compared.sort((left, right) => right.total - left.total), ...refused]
}
