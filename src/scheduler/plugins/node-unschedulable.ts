import type { Node } from '../../api/core/v1/node.js'
import { tolerates } from '../../api/core/v1/taint/tolerations.js'
import type { Taint } from '../../api/core/v1/taint.js'
import type { PodInfo } from '../cache/pod-info.js'
import { queueingHint } from '../framework/cluster-event.js'
import { declarePlugin } from '../framework/declaration.js'
import type { PluginRejection } from '../framework/rejection.js'

const name = 'NodeUnschedulable'

const rejection: PluginRejection = { plugin: name, reasons: ['node(s) were unschedulable'], isResolvable: false }

/** A pod that tolerates this taint may go to a cordoned node. */
const unschedulableTaint: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

/** Cordoned nodes get no more pods. */
export const nodeUnschedulable = declarePlugin({
  name,
  extensionPoints: ['filter'],
  defaultProfile: { position: 30 },
  create: () => ({
    preFilter(pod) {
      if (toleratesUnschedulable(pod)) return undefined
      return { filter: ({ node }) => (isCordoned(node) ? rejection : undefined) }
    },
    queueingHints: [
      queueingHint('Node', ['added', 'unschedulable'], (_, { object }) => !isCordoned(object)),
      queueingHint('UnscheduledPod', ['tolerations'], toleratesUnschedulable),
    ],
  }),
})

function isCordoned({ spec }: Node): boolean {
  return spec?.unschedulable ?? false
}

function toleratesUnschedulable({ pod }: PodInfo): boolean {
  return pod.spec.tolerations?.some((toleration) => tolerates(toleration, unschedulableTaint)) ?? false
}
