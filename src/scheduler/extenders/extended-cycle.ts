import type { Environment } from '../../base/environment.js'
import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import { type Circumstances, type Found, findNodes, scoresOf, type Trial } from '../cycle/cycle.js'
import type { Diagnosis, Scores } from '../cycle/decision.js'
import { best } from '../cycle/scoring.js'
import type { Refusal } from '../framework/rejection.js'
import type { Extender } from './extender.js'

/** Decides as `decide` does, and asks those outside as well who have a say in it. */
export async function decideWithExtenders(
  pod: PodInfo,
  circumstances: Circumstances,
  { extenders, log }: { readonly extenders: readonly Extender[]; readonly log: Environment['log'] },
): Promise<Trial> {
  const asked = extenders.filter((extender) => extender.isInterested(pod.pod))
  const consultation = new Consultation(pod, asked, log)
  const all = { ...circumstances, needsChoice: asked.some(({ filter, prioritize }) => filter ?? prioritize) }
  let found = await consultation.filtered(findNodes(pod, all))
  if (found.feasible.length === 0 && pod.pod.status?.nominatedNodeName)
    found = await consultation.filtered(findNodes(pod, all, { anywhere: true }))
  const { feasible, diagnosis, filters, next } = found
  const scores = await consultation.compared(feasible, scoresOf(pod, feasible, all))
  const node = scores ? best(scores, circumstances.random) : feasible[0]
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
  async filtered(found: Found): Promise<Found> {
    let { feasible, diagnosis } = found
    for (const extender of this.#extenders) {
      if (feasible.length === 0 || !extender.filter) continue
      try {
        const { nodes, refused, refusals } = await extender.filter(this.#pod, feasible)
        feasible = nodes
        diagnosis = withRefusals(diagnosis, refused, refusals)
      } catch (error) {
        if (!extender.isIgnorable) throw error
        this.#log.warn('a pod is placed without an extender', { extender: extender.name, error })
      }
    }
    return { ...found, feasible, diagnosis }
  }

  /** Who fails to compare has no say in it. */
  async compared(nodes: readonly NodeInfo[], scores: Scores | undefined): Promise<Scores | undefined> {
    if (!scores) return undefined
    const asked = this.#extenders.filter(({ prioritize }) => prioritize)
    const answers = await Promise.allSettled(asked.map((extender) => extender.prioritize!(this.#pod, nodes)))
    const rows = answers.flatMap((answer, i) =>
      answer.status === 'fulfilled' ? [{ name: asked[i]!.name, row: answer.value }] : [],
    )
    return rows.length === 0 ? scores : withRows(scores, rows)
  }
}

function withRefusals(diagnosis: Diagnosis, nodes: readonly NodeInfo[], refusals: readonly Refusal[]): Diagnosis {
  if (nodes.length === 0) return diagnosis
  return {
    ...diagnosis,
    refused: [...diagnosis.refused, ...nodes],
    refusals: [...diagnosis.refusals, ...refusals],
    plugins: new Set([...diagnosis.plugins, ...refusals.map(({ plugin }) => plugin)]),
  }
}

function withRows(scores: Scores, rows: readonly { readonly name: string; readonly row: Float64Array }[]): Scores {
  const { nodes, plugins, weighted, totals } = scores
  const all = new Float64Array(weighted.length + rows.length * nodes.length)
  all.set(weighted)
  for (const [i, { row }] of rows.entries()) all.set(row, weighted.length + i * nodes.length)
  const sums = totals.map((total, k) => rows.reduce((sum, { row }) => sum + row[k]!, total))
  return { nodes, plugins: [...plugins, ...rows.map(({ name }) => name)], weighted: all, totals: sums }
}
