import { Node } from '../../api/core/v1/node.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import { Lifetime } from './lifetime.js'

const annotation = 'node.alpha.kubernetes.io/ttl'

/** Tells each node how long it may keep what it has read. A node hears of a change when it next says that it is well. */
export function nodeTtlController(): Controller {
  const lifetime = new Lifetime()
  return controller('ttlcontroller')
    .for(Node)
    .workers(5)
    .reconcile(async (name, { client, informers }) => {
      const nodes = informers.of(Node)
      const node = nodes.get(name)
      const seconds = String(lifetime.secondsFor(nodes.size))
      if (!node || node.metadata.annotations?.[annotation] === seconds) return
      await client.resource(Node).patch(name, 'strategic', { metadata: { annotations: { [annotation]: seconds } } })
    })
}
