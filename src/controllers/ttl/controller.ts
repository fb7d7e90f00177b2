import { Node } from '../../api/core/v1/node.js'
import { defineController, recordEvents } from '../definition.js'
import { decide, ttlAnnotation } from './decide.js'

/** Annotates each node with how long its kubelet may cache Secrets and ConfigMaps. A node gets a new value with its next heartbeat. */
export const definition = defineController({
  name: 'ttl-controller',
  alias: 'ttl',
  queue: 'ttlcontroller',
  serviceAccount: 'ttl-controller',
  rules: ['list patch update watch on nodes of core', recordEvents],
  create(controller) {
    let boundary = 0
    return controller
      .for(Node)
      .workers(5)
      .reconcile({
        async observe(name, { informers }) {
          const nodes = informers.of(Node)
          return { name, nodes: nodes.size, boundary, node: nodes.get(name) }
        },
        decide,
        async act(decision, { name }, { client }) {
          boundary = decision.boundary
          if (decision.annotation === undefined) return
          const annotations = { [ttlAnnotation]: decision.annotation }
          await client.resource(Node).patch(name, 'strategic', { metadata: { annotations } })
        },
      })
  },
})
