import type { Binding } from '../../../api/core/v1/binding.js'
import type { Node } from '../../../api/core/v1/node.js'
import type { Draft } from '../../../schema/infer.js'
import type { AdmissionPlugin } from '../admission.js'
import type { ObjectLookups } from '../lookup.js'
import { isFor, isPod } from '../requests.js'

const labels = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region']

/** A pod that is bound to a node learns from its labels where that stands. */
export function podTopologyLabels(lookups: ObjectLookups): AdmissionPlugin {
  const nodes = lookups.of<Node>('', 'v1', 'nodes')
  return {
    name: 'PodTopologyLabels',
    handles: (request) =>
      request.operation === 'CREATE' && (isPod(request, 'binding') || isFor(request, '', 'bindings')),
    mutate({ object }) {
      const binding = object as Draft<Binding>
      if (binding.target?.kind && binding.target.kind !== 'Node') return
      const ofNode = nodes.get(binding.target?.name ?? '')?.metadata.labels ?? {}
      const known = labels.filter((label) => ofNode[label] !== undefined)
      if (known.length === 0) return
      const told = Object.fromEntries(known.map((label) => [label, ofNode[label]!]))
      binding.metadata.labels = { ...binding.metadata.labels, ...told }
    },
  }
}
