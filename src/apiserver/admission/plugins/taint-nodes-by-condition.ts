import type { Node } from '../../../api/core/v1/node.js'
import type { Draft } from '../../../schema/infer.js'
import type { AdmissionPlugin } from '../admission.js'
import { isFor } from '../requests.js'

const key = 'node.kubernetes.io/not-ready'

/** Nothing is scheduled to a new node before it was seen ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  handles: (request) => request.operation === 'CREATE' && isFor(request, '', 'nodes'),
  mutate({ object }) {
    const { spec } = object as Draft<Node>
    const taints = spec.taints ?? []
    if (!taints.some((taint) => taint.key === key && taint.effect === 'NoSchedule'))
      spec.taints = [...taints, { key, effect: 'NoSchedule' }]
  },
}
