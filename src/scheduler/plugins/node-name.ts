import { interest } from '../framework/cluster-event.js'
import type { Plugin } from '../framework/plugin.js'
import type { Refusal } from '../framework/rejection.js'

const name = 'NodeName'

const refusal: Refusal = {
  plugin: name,
  reasons: ["node(s) didn't match the requested node name"],
  isResolvable: false,
}

/** A pod that names its node goes nowhere else. */
export function nodeName(): Plugin {
  return {
    name,
    filterFor({ pod }) {
      const wanted = pod.spec.nodeName
      return wanted ? { refuse: (node) => (node.name === wanted ? undefined : refusal) } : undefined
    },
    interests: [interest('Node', ['added'], ({ pod }, { object }) => object.metadata.name === pod.spec.nodeName)],
  }
}
