import { Binding } from '../../api/core/v1/binding.js'
import { Pod } from '../../api/core/v1/pod.js'
import { declarePlugin } from '../framework/declaration.js'

/** Posts a Binding to the API server, which accepts one for each pod. */
export const defaultBinder = declarePlugin({
  name: 'DefaultBinder',
  extensionPoints: ['bind'],
  defaultProfile: { position: 150 },
  create: () => ({
    async bind({ metadata }, nodeName, client) {
      const { name, namespace, uid } = metadata
      const bindings = client.resource(Pod).in(namespace!).subresource('binding', Binding)
      const target = { apiVersion: 'v1', kind: 'Node', name: nodeName }
      await bindings.create({ metadata: { name: name!, namespace: namespace!, uid: uid! }, target })
    },
    queueingHints: [],
  }),
})
