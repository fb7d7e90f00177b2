import type { Node } from '../../api/core/v1/node.js'
import { tolerates, untoleratedTaint } from '../../api/core/v1/taint/tolerations.js'
import type { TaintEffect, Toleration } from '../../api/core/v1/taint.js'
import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import { queueingHint } from '../framework/cluster-event.js'
import { declarePlugin } from '../framework/declaration.js'
import type { PluginRejection } from '../framework/rejection.js'
import { normalizeToHighest } from './normalize.js'

const name = 'TaintToleration'

const rejection: PluginRejection = { plugin: name, reasons: ['node(s) had untolerated taint(s)'], isResolvable: false }

const forbiddingEffects: readonly TaintEffect[] = ['NoSchedule', 'NoExecute']

/** A taint keeps away pods that do not tolerate it, or lowers the score of the node for them. */
export const taintToleration = declarePlugin({
  name,
  extensionPoints: ['filter', 'score'],
  defaultProfile: { position: 50, weight: 3 },
  create: () => ({
    preFilter({ pod }) {
      const { tolerations } = pod.spec
      return { filter: ({ node }) => (node.spec?.taints && isForbidden(node, tolerations) ? rejection : undefined) }
    },
    preScore: ({ pod }) => ({
      score: intolerableTaints(pod.spec.tolerations ?? []),
      normalize: (scores) => normalizeToHighest(scores, { reverse: true }),
    }),
    queueingHints: [
      queueingHint('Node', ['added', 'taints'], ({ pod }, { object, old }) => {
        const isAllowed = (node: Node) => !isForbidden(node, pod.spec.tolerations)
        return isAllowed(object) && !(old && isAllowed(old))
      }),
      queueingHint('UnscheduledPod', ['tolerations']),
    ],
  }),
})

function isForbidden({ spec }: Node, tolerations: PodInfo['pod']['spec']['tolerations']): boolean {
  return untoleratedTaint(spec?.taints, tolerations, forbiddingEffects) !== undefined
}

/** Counts the PreferNoSchedule taints of a node that the pod does not tolerate. */
function intolerableTaints(tolerations: readonly Toleration[]): (node: NodeInfo) => number {
  const relevant = tolerations.filter(({ effect }) => !effect || effect === 'PreferNoSchedule')
  return ({ node }) => {
    let count = 0
    for (const taint of node.spec?.taints ?? [])
      if (taint.effect === 'PreferNoSchedule' && !relevant.some((toleration) => tolerates(toleration, taint))) count++
    return count
  }
}
