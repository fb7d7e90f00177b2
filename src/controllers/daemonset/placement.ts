import type { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import { fitsNode } from '../../api/core/v1/affinity/node-affinity.js'
import type { Node } from '../../api/core/v1/node.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import { untoleratedTaint, withToleration } from '../../api/core/v1/taint/tolerations.js'
import type { Toleration } from '../../api/core/v1/taint.js'

/** Whether a node should have a pod of the set. */
export interface Placement {
  readonly shouldRun: boolean
  /** Whether a pod that exists may stay, even if none would be created. */
  readonly mayStay: boolean
}

const nowhere: Placement = { shouldRun: false, mayStay: false }

/** Returns a function for one set that is called for many nodes. */
export function placementOf({ spec }: DaemonSet): (node: Node) => Placement {
  const pod = spec.template.spec!
  const tolerations = daemonTolerations(pod)
  return (node) => {
    if (pod.nodeName && pod.nodeName !== node.metadata.name) return nowhere
    if (!fitsNode(pod, node)) return nowhere
    const { taints } = node.spec
    if (!untoleratedTaint(taints, tolerations, ['NoSchedule', 'NoExecute'])) return { shouldRun: true, mayStay: true }
    return { shouldRun: false, mayStay: !untoleratedTaint(taints, tolerations, ['NoExecute']) }
  }
}

/** Daemons run on their node even if it has problems, so they tolerate the taints for these. */
export function daemonTolerations({ tolerations = [], hostNetwork }: PodSpec): readonly Toleration[] {
  const own = [
    ...['not-ready', 'unreachable'].map((key) => toleration(key, 'NoExecute')),
    ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((key) =>
      toleration(key, 'NoSchedule'),
    ),
    ...(hostNetwork ? [toleration('network-unavailable', 'NoSchedule')] : []),
  ]
  return own.reduce(withToleration, tolerations)
}

function toleration(key: string, effect: 'NoExecute' | 'NoSchedule'): Toleration {
  return { key: `node.kubernetes.io/${key}`, operator: 'Exists', effect }
}
