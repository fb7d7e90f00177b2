import type { Node } from '../../api/core/v1/node.js'
import { tolerates, untoleratedTaint } from '../../api/core/v1/taint/tolerations.js'
import type { TaintEffect, Toleration } from '../../api/core/v1/taint.js'
import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import { queueingHint } from '../framework/cluster-event.js'
import type { SchedulerPlugin } from '../framework/plugin.js'
import type { PluginRejection } from '../framework/rejection.js'
import { normalize } from './normalize.js'

const name = 'TaintToleration'

const rejection: PluginRejection = { plugin: name, reasons: ['node(s) had untolerated taint(s)'], isResolvable: false }

const forbidding: readonly TaintEffect[] = ['NoSchedule', 'NoExecute']

/** A taint keeps pods away that do not tolerate it, or at least makes the node less welcome. */
export function taintToleration(): SchedulerPlugin {
  return {
    name,
    preFilter: ({ pod }) => {
      const { tolerations } = pod.spec
      return { filter: ({ node }) => (node.spec?.taints && isForbidden(node, tolerations) ? rejection : undefined) }
    },
    preScore: ({ pod }) => ({
      score: unwelcomeCount(pod.spec.tolerations ?? []),
      normalize: (scores) => normalize(scores, { reverse: true }),
    }),
    queueingHints: [
      queueingHint('Node', ['added', 'taints'], ({ pod }, { object, old }) => {
        const isWelcome = (node: Node) => !isForbidden(node, pod.spec.tolerations)
        return isWelcome(object) && !(old && isWelcome(old))
      }),
      queueingHint('WaitingPod', ['tolerations']),
    ],
  }
}

function isForbidden({ spec }: Node, tolerations: PodInfo['pod']['spec']['tolerations']): boolean {
  return untoleratedTaint(spec?.taints, tolerations, forbidding) !== undefined
}

/** How many taints say that the pod had better be elsewhere. */
function unwelcomeCount(tolerations: readonly Toleration[]): (node: NodeInfo) => number {
  const helpful = tolerations.filter(({ effect }) => !effect || effect === 'PreferNoSchedule')
  return ({ node }) => {
    let count = 0
    for (const taint of node.spec?.taints ?? [])
      if (taint.effect === 'PreferNoSchedule' && !helpful.some((toleration) => tolerates(toleration, taint))) count++
    return count
  }
}
