import type { Node } from '../../../api/core/v1/node.js'
import { defineAdmissionPlugin } from '../definition.js'
import { isFor } from '../request.js'

const key = 'node.kubernetes.io/not-ready'

/** Taints new nodes, so that no pod is scheduled to a node before it is ready. */
export const taintNodesByCondition = defineAdmissionPlugin<Node>({
  name: 'TaintNodesByCondition',
  position: 100,
  isDefault: true,
  create: () => ({
    handles: (request) => request.operation === 'CREATE' && isFor(request, '', 'nodes'),
    mutate({ object }) {
      const { spec } = object!
      const taints = spec.taints ?? []
      if (!taints.some((taint) => taint.key === key && taint.effect === 'NoSchedule'))
        spec.taints = [...taints, { key, effect: 'NoSchedule' }]
    },
  }),
})
