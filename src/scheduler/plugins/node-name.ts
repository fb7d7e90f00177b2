import { queueingHint } from '../framework/cluster-event.js'
import type { SchedulerPlugin } from '../framework/plugin.js'
import type { PluginRejection } from '../framework/rejection.js'

const name = 'NodeName'

const rejection: PluginRejection = {
  plugin: name,
  reasons: ["node(s) didn't match the requested node name"],
  isResolvable: false,
}

/** A pod that names its node goes nowhere else. */
export function nodeName(): SchedulerPlugin {
  return {
    name,
    preFilter({ pod }) {
      const wanted = pod.spec.nodeName
      return wanted ? { filter: (node) => (node.name === wanted ? undefined : rejection) } : undefined
    },
    queueingHints: [
      queueingHint('Node', ['added'], ({ pod }, { object }) => object.metadata.name === pod.spec.nodeName),
    ],
  }
}
