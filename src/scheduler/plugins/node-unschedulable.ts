import type { Node } from '../../api/core/v1/node.js'
import { tolerates } from '../../api/core/v1/taint/tolerations.js'
import type { Taint } from '../../api/core/v1/taint.js'
import type { PodInfo } from '../cache/pod-info.js'
import { interest } from '../framework/cluster-event.js'
import type { Plugin } from '../framework/plugin.js'
import type { Refusal } from '../framework/rejection.js'

const name = 'NodeUnschedulable'

const refusal: Refusal = { plugin: name, reasons: ['node(s) were unschedulable'], isResolvable: false }

/** Who tolerates this taint does not mind that a node is closed. */
const closed: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

/** Nodes that are closed get no more pods. */
export function nodeUnschedulable(): Plugin {
  return {
    name,
    filterFor: (pod) => (minds(pod) ? { refuse: ({ node }) => (isClosed(node) ? refusal : undefined) } : undefined),
    interests: [
      interest('Node', ['added', 'unschedulable'], (_, { object }) => !isClosed(object)),
      interest('WaitingPod', ['tolerations'], (pod) => !minds(pod)),
    ],
  }
}

function isClosed({ spec }: Node): boolean {
  return spec?.unschedulable ?? false
}

function minds({ pod }: PodInfo): boolean {
  return !pod.spec.tolerations?.some((toleration) => tolerates(toleration, closed))
}
