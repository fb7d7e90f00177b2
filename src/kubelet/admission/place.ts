/** Whether this is a place for the pod: the rules by which the scheduler chooses, for pods that came by another way. */
import { fitsNode } from '../../api/core/v1/affinity/node-affinity.js'
import { untoleratedTaint } from '../../api/core/v1/taint/tolerations.js'
import type { Verdict } from '../status/situation.js'
import { isStaticPod } from '../status/static-pod.js'
import type { Admission } from './admitting-node.js'
import { clashes } from './host-ports.js'
import { refusal } from './refusal.js'
import { missingResource } from './resources.js'

export function placeRefusal(admission: Admission): Verdict | undefined {
  const { pod, others, on } = admission
  const { node } = on
  const missing = missingResource(admission)
  if (missing) return missing
  const hasBegun = pod.status?.startTime !== undefined
  if (!hasBegun && !fitsNode(pod.spec, node))
    return misplaced('NodeAffinity', "node(s) didn't match Pod's node affinity/selector")
  if (pod.spec.nodeName !== undefined && pod.spec.nodeName !== node.metadata.name)
    return misplaced('NodeName', "node(s) didn't match the requested node name")
  if (clashes(pod.spec, others))
    return misplaced('NodePorts', "node(s) didn't have free ports for the requested pod ports")
  if (!hasBegun && !isStaticPod(pod) && untoleratedTaint(node.spec?.taints, pod.spec.tolerations, ['NoExecute']))
    return misplaced('TaintToleration', "node(s) had taints that the pod didn't tolerate")
  return undefined
}

function misplaced(rule: string, why: string): Verdict {
  return refusal(rule, `Predicate ${rule} failed: ${why}`)
}
