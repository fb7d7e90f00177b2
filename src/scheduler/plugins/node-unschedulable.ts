import type { Node } from '../../api/core/v1/node.js'
import { tolerates } from '../../api/core/v1/taint/tolerations.js'
import type { Taint } from '../../api/core/v1/taint.js'
import type { PodInfo } from '../cache/pod-info.js'
import { queueingHint } from '../framework/cluster-event.js'
import type { SchedulerPlugin } from '../framework/plugin.js'
import type { PluginRejection } from '../framework/rejection.js'

const name = 'NodeUnschedulable'

const rejection: PluginRejection = { plugin: name, reasons: ['node(s) were unschedulable'], isResolvable: false }

/** Who tolerates this taint does not mind that a node is closed. */
const closed: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

/** Nodes that are closed get no more pods. */
export function nodeUnschedulable(): SchedulerPlugin {
  return {
    name,
    preFilter: (pod) => (minds(pod) ? { filter: ({ node }) => (isClosed(node) ? rejection : undefined) } : undefined),
    queueingHints: [
      queueingHint('Node', ['added', 'unschedulable'], (_, { object }) => !isClosed(object)),
      queueingHint('WaitingPod', ['tolerations'], (pod) => !minds(pod)),
    ],
  }
}

function isClosed({ spec }: Node): boolean {
  return spec?.unschedulable ?? false
}

function minds({ pod }: PodInfo): boolean {
  return !pod.spec.tolerations?.some((toleration) => tolerates(toleration, closed))
}
