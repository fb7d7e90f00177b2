import type { Random } from '../../base/random.js'
import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import type { ClusterSnapshot } from '../cache/snapshot.js'
import { maxNodeScore, type PodScorer } from '../framework/plugin.js'
import type { WeightedSchedulerPlugin } from '../framework/profile.js'
import type { NodeScores } from './decision.js'

/** Throws if a plugin returns a score out of range. */
export function runScorePlugins(
  pod: PodInfo,
  plugins: readonly WeightedSchedulerPlugin[],
  snapshot: ClusterSnapshot,
  nodes: readonly NodeInfo[],
): NodeScores {
  const scorers = plugins.flatMap(({ plugin, weight }) => {
    const scorer = plugin.preScore?.(pod, snapshot, nodes)
    return scorer ? [{ name: plugin.name, scorer, weight }] : []
  })
  const { length } = nodes
  const weighted = new Float64Array(scorers.length * length)
  const totals = new Float64Array(length)
  for (const [i, { name, scorer, weight }] of scorers.entries()) {
    const row = weighted.subarray(i * length, (i + 1) * length)
    fillScores(row, scorer, nodes)
    addWeighted(row, totals, { name, weight })
  }
  return { nodes, plugins: scorers.map(({ name }) => name), weighted, totals }
}

function fillScores(row: Float64Array, scorer: PodScorer, nodes: readonly NodeInfo[]): void {
  for (let k = 0; k < nodes.length; k++) row[k] = scorer.score(nodes[k]!)
  scorer.normalize?.(row, nodes)
}

function addWeighted(
  row: Float64Array,
  totals: Float64Array,
  { name, weight }: { readonly name: string; readonly weight: number },
): void {
  for (let k = 0; k < row.length; k++) {
    const score = row[k]!
    if (!(score >= 0 && score <= maxNodeScore))
      throw new RangeError(
        `plugin "${name}" returns an invalid score ${score}, it should in the range of [0, ${maxNodeScore}] after normalizing`,
      )
    const weighted = score * weight
    row[k] = weighted
    totals[k]! += weighted
  }
}

/** A node with the highest total, chosen at random among equals. */
export function selectNode({ nodes, totals }: NodeScores, random: Random): NodeInfo {
  let best = 0
  let equals = 1
  for (let k = 1; k < totals.length; k++) {
    if (totals[k]! > totals[best]!) {
      best = k
      equals = 1
    } else if (totals[k] === totals[best] && random.integer(++equals) === 0) best = k
  }
  return nodes[best]!
}
