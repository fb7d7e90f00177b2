import { queueingHint } from '../framework/cluster-event.js'
import { declarePlugin } from '../framework/declaration.js'
import type { PluginRejection } from '../framework/rejection.js'

const name = 'NodeName'

const rejection: PluginRejection = {
  plugin: name,
  reasons: ["node(s) didn't match the requested node name"],
  isResolvable: false,
}

/** A pod whose spec names a node goes to no other node. */
export const nodeName = declarePlugin({
  name,
  extensionPoints: ['filter'],
  defaultProfile: { position: 40 },
  create: () => ({
    preFilter({ pod }) {
      const wanted = pod.spec.nodeName
      return wanted ? { filter: (node) => (node.name === wanted ? undefined : rejection) } : undefined
    },
    queueingHints: [
      queueingHint('Node', ['added'], ({ pod }, { object }) => object.metadata.name === pod.spec.nodeName),
    ],
  }),
})
