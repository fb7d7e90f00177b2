import type { Binding } from '../../../api/core/v1/binding.js'
import type { Node } from '../../../api/core/v1/node.js'
import { defineAdmissionPlugin } from '../definition.js'
import { isFor, isPod } from '../request.js'

const topologyLabels = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region']

/** Copies the topology labels of a node to the pods that are bound to it. */
export const podTopologyLabels = defineAdmissionPlugin<Binding>({
  name: 'PodTopologyLabels',
  position: 320,
  isDefault: true,
  create({ lookups }) {
    const nodes = lookups.of<Node>('', 'v1', 'nodes')
    return {
      handles: (request) =>
        request.operation === 'CREATE' && (isPod(request, 'binding') || isFor(request, '', 'bindings')),
      mutate({ object }) {
        const binding = object!
        if (binding.target?.kind && binding.target.kind !== 'Node') return
        const nodeLabels = nodes.get(binding.target?.name ?? '')?.metadata.labels ?? {}
        const present = topologyLabels.filter((label) => nodeLabels[label] !== undefined)
        if (present.length === 0) return
        const copied = Object.fromEntries(present.map((label) => [label, nodeLabels[label]!]))
        binding.metadata.labels = { ...binding.metadata.labels, ...copied }
      },
    }
  },
})
