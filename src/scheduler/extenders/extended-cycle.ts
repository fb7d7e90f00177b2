import type { Environment } from '../../base/environment.js'
import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import {
  type CycleContext,
  type CycleResult,
  type FeasibleNodes,
  findFeasibleNodes,
  scoreNodes,
} from '../cycle/cycle.js'
import type { NodeScores, SchedulingDiagnosis } from '../cycle/decision.js'
import { selectNode } from '../cycle/scoring.js'
import type { PluginRejection } from '../framework/rejection.js'
import type { Extender } from './extender.js'

/** As `decide`, with extenders that filter and score as well. */
export async function decideWithExtenders(
  pod: PodInfo,
  context: CycleContext,
  { extenders, log }: { readonly extenders: readonly Extender[]; readonly log: Environment['log'] },
): Promise<CycleResult> {
  const interested = extenders.filter((extender) => extender.isInterested(pod.pod))
  const calls = new ExtenderCalls(pod, interested, log)
  const needsChoice = interested.some(({ filter, prioritize }) => filter ?? prioritize)
  const extended = { ...context, needsChoice }
  let found = await calls.filter(findFeasibleNodes(pod, extended))
  if (found.feasible.length === 0 && pod.pod.status?.nominatedNodeName)
    found = await calls.filter(findFeasibleNodes(pod, extended, { ignoreNomination: true }))
  const { feasible, diagnosis, filters, next } = found
  const scores = await calls.prioritize(feasible, scoreNodes(pod, feasible, extended))
  const node = scores ? selectNode(scores, context.random) : feasible[0]
  return { decision: { pod, node, nodeCount: context.snapshot.size, diagnosis, scores }, filters, next }
}

/** The calls of one cycle. */
class ExtenderCalls {
  readonly #pod: PodInfo
  readonly #extenders: readonly Extender[]
  readonly #log: Environment['log']

  constructor(pod: PodInfo, extenders: readonly Extender[], log: Environment['log']) {
    this.#pod = pod
    this.#extenders = extenders
    this.#log = log
  }

  /** One after the other: each gets the nodes that passed the ones before. */
  async filter(found: FeasibleNodes): Promise<FeasibleNodes> {
    let { feasible, diagnosis } = found
    for (const extender of this.#extenders) {
      if (feasible.length === 0 || !extender.filter) continue
      try {
        const { nodes, rejectedNodes, rejections } = await extender.filter(this.#pod, feasible)
        feasible = nodes
        diagnosis = withRejections(diagnosis, rejectedNodes, rejections)
      } catch (error) {
        if (!extender.isIgnorable) throw error
        this.#log.warn('ignorable extender failed', { extender: extender.name, error })
      }
    }
    return { ...found, feasible, diagnosis }
  }

  /** Extenders that fail do not score. */
  async prioritize(nodes: readonly NodeInfo[], scores: NodeScores | undefined): Promise<NodeScores | undefined> {
    if (!scores) return undefined
    const scoring = this.#extenders.filter(({ prioritize }) => prioritize)
    const results = await Promise.allSettled(scoring.map((extender) => extender.prioritize!(this.#pod, nodes)))
    const rows = results.flatMap((result, i) =>
      result.status === 'fulfilled' ? [{ name: scoring[i]!.name, row: result.value }] : [],
    )
    return rows.length === 0 ? scores : withRows(scores, rows)
  }
}

function withRejections(
  diagnosis: SchedulingDiagnosis,
  nodes: readonly NodeInfo[],
  rejections: readonly PluginRejection[],
): SchedulingDiagnosis {
  if (nodes.length === 0) return diagnosis
  return {
    ...diagnosis,
    rejectedNodes: [...diagnosis.rejectedNodes, ...nodes],
    rejections: [...diagnosis.rejections, ...rejections],
    plugins: new Set([...diagnosis.plugins, ...rejections.map(({ plugin }) => plugin)]),
  }
}

function withRows(
  scores: NodeScores,
  rows: readonly { readonly name: string; readonly row: Float64Array }[],
): NodeScores {
  const { nodes, plugins, weighted, totals } = scores
  const all = new Float64Array(weighted.length + rows.length * nodes.length)
  all.set(weighted)
  for (const [i, { row }] of rows.entries()) all.set(row, weighted.length + i * nodes.length)
  const sums = totals.map((total, k) => rows.reduce((sum, { row }) => sum + row[k]!, total))
  return { nodes, plugins: [...plugins, ...rows.map(({ name }) => name)], weighted: all, totals: sums }
}
