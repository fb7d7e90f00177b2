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

/** Decides as `decide` does, and asks those outside as well who have a say in it. */
export async function decideWithExtenders(
  pod: PodInfo,
  circumstances: CycleContext,
  { extenders, log }: { readonly extenders: readonly Extender[]; readonly log: Environment['log'] },
): Promise<CycleResult> {
  const asked = extenders.filter((extender) => extender.isInterested(pod.pod))
  const consultation = new Consultation(pod, asked, log)
  const all = { ...circumstances, needsChoice: asked.some(({ filter, prioritize }) => filter ?? prioritize) }
  let found = await consultation.filtered(findFeasibleNodes(pod, all))
  if (found.feasible.length === 0 && pod.pod.status?.nominatedNodeName)
    found = await consultation.filtered(findFeasibleNodes(pod, all, { anywhere: true }))
  const { feasible, diagnosis, filters, next } = found
  const scores = await consultation.compared(feasible, scoreNodes(pod, feasible, all))
  const node = scores ? selectNode(scores, circumstances.random) : feasible[0]
  return { decision: { pod, node, nodeCount: circumstances.snapshot.size, diagnosis, scores }, filters, next }
}

/** What those outside say of one pod. */
class Consultation {
  readonly #pod: PodInfo
  readonly #extenders: readonly Extender[]
  readonly #log: Environment['log']

  constructor(pod: PodInfo, extenders: readonly Extender[], log: Environment['log']) {
    this.#pod = pod
    this.#extenders = extenders
    this.#log = log
  }

  /** One after the other: each sees only the nodes that those before would take. */
  async filtered(found: FeasibleNodes): Promise<FeasibleNodes> {
    let { feasible, diagnosis } = found
    for (const extender of this.#extenders) {
      if (feasible.length === 0 || !extender.filter) continue
      try {
        const { nodes, rejectedNodes, rejections } = await extender.filter(this.#pod, feasible)
        feasible = nodes
        diagnosis = withRefusals(diagnosis, rejectedNodes, rejections)
      } catch (error) {
        if (!extender.isIgnorable) throw error
        this.#log.warn('a pod is placed without an extender', { extender: extender.name, error })
      }
    }
    return { ...found, feasible, diagnosis }
  }

  /** Who fails to compare has no say in it. */
  async compared(nodes: readonly NodeInfo[], scores: NodeScores | undefined): Promise<NodeScores | undefined> {
    if (!scores) return undefined
    const asked = this.#extenders.filter(({ prioritize }) => prioritize)
    const answers = await Promise.allSettled(asked.map((extender) => extender.prioritize!(this.#pod, nodes)))
    const rows = answers.flatMap((answer, i) =>
      answer.status === 'fulfilled' ? [{ name: asked[i]!.name, row: answer.value }] : [],
    )
    return rows.length === 0 ? scores : withRows(scores, rows)
  }
}

function withRefusals(
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
